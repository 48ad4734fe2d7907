import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { serializeRequests } from '../../src/interfaces/http/create-node-http-server.ts'

let turn = 0
const turns: number[] = []
const count = () => {
  turn++
  counting = setImmediate(count)
}
let counting = setImmediate(count)

/** Refuses at once, without waiting for anything. */
const server = createServer(
  serializeRequests((_, response) => {
    turns.push(turn)
    response.writeHead(404).end()
  }),
)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => {
  clearImmediate(counting)
  server.closeAllConnections()
  server.close()
})

/** Sends so many requests in one piece, and tells how many were answered before the connection ended or nothing more came. */
async function send(many: number, answers: number): Promise<number> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let said = ''
  socket.on('data', (data) => {
    said += data
    if (said.split('HTTP/1.1 404').length > answers) socket.destroy()
  })
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]'.repeat(many))
  await once(socket, 'close')
  return said.split('HTTP/1.1 404').length - 1
}

test('[no single request stalls the server] hundreds in one piece that are refused at once are not all worked on in one turn', async () => {
  await send(600, 600)
  expect(turns.length).toBeLessThan(20)
  expect(new Set(turns).size).toBe(turns.length)
})

test('[no single request stalls the server] a few in one piece are answered all the same, each in a turn of its own', async () => {
  turns.length = 0
  expect(await send(10, 10)).toBe(10)
  expect(new Set(turns).size).toBe(10)
})
