import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const MANY = 100
const MIB = 1024 * 1024
const server = await testServer(businessWith([service('svc_a')]))
await server.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.app.server.address() as AddressInfo

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const kept = () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MIB
}

const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })
const request =
  `POST /usp/mcp HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/json\r\n` +
  `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})
const ask = () =>
  new Promise<Socket>((asked) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(request, () => asked(socket))).pause()
    sockets.push(socket)
  })

test('[no single request or stored value stalls] many who ask for all tools and never read them cost one list', async () => {
  let bytes = 0
  for await (const piece of await ask()) bytes += piece.length
  expect(bytes).toBeGreaterThan(MIB / 2)
  const before = kept()
  await Promise.all(Array.from({ length: MANY }, ask))
  await expect.poll(answered).toBe(MANY + 1)
  await pass(500)
  expect(kept() - before).toBeLessThan(((MANY / 4) * bytes) / MIB)
})

const answered = async () => {
  const { count } = await server.runtime.db.selectFrom('rate_limits').select('count').executeTakeFirstOrThrow()
  return count
}
