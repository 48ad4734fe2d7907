import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { boundUnreadAnswers } from '../../src/interfaces/http/limit-unread-answers.ts'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const MEBIBYTE = 1024 * 1024
/** More than the system keeps of what is not read. */
const LONG = 8 * MEBIBYTE
/** So many such answers may wait for their readers. */
const MOST = (64 * MEBIBYTE) / LONG
/** Milliseconds after which whoever takes nothing may be cut off. */
const PATIENCE_MS = 1_000
const PIECE = 64 * 1024

const story = 'x'.repeat(LONG)
const plain = fastify({ forceCloseConnections: true })
boundUnreadAnswers(plain)
plain.get('/', async () => story)
await plain.listen({ host: '127.0.0.1', port: 0 })

const whole = await serverWithAllInterfaces(businessWith([service('svc_long', { metadata: { story } })]))
await whole.app.listen({ host: '127.0.0.1', port: 0 })

const open = new Set<Socket>()
afterEach(() => {
  for (const socket of open) socket.destroy()
})

const lines = ['Host: 127.0.0.1', 'Connection: close']
const get = (path: string) => [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
const tool = (method: string, params: object) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = [`Content-Length: ${body.length}`, 'Content-Type: application/json']
  return ['POST /usp/mcp HTTP/1.1', ...lines, ...headers, '', body].join('\r\n')
}

/** Asks, and reads nothing until it is told to. */
function ask(server: Server, text: string): Socket {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').pause()
  open.add(socket)
  socket.on('error', () => {}).once('close', () => open.delete(socket))
  socket.write(text)
  return socket
}

/** Once it is being answered. */
async function asking(server: Server, text: string): Promise<{ socket: Socket; response: ServerResponse }> {
  const answering = once(server, 'request').then(([, response]) => response)
  const socket = ask(server, text)
  const response = await answering
  await expect.poll(() => response.headersSent).toBe(true)
  return { socket, response }
}
const asked = async () => (await asking(plain.server, get('/'))).socket

async function isAnsweredWhole(socket: Socket): Promise<boolean> {
  let bytes = 0
  socket.on('data', ({ length }: Buffer) => (bytes += length))
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  return bytes > LONG
}

test('[no number of slow callers fills memory] who reads is served, and of those who do not the first are cut off', async () => {
  const slow = await asked()
  slow.on('data', () => {
    slow.pause()
    setTimeout(() => slow.resume(), 15)
  })
  const slowly = isAnsweredWhole(slow)

  const unread: Socket[] = []
  for (let count = 0; count < MOST; count++) unread.push(await asked())
  await pass(PATIENCE_MS + 300)
  for (let count = 0; count < MOST; count++) unread.push(await asked())

  // What was sent before is still to be read by whoever was cut off.
  const states = await Promise.all(unread.map(isAnsweredWhole))
  expect(states.slice(0, MOST - 1)).toEqual(Array(MOST - 1).fill(false))
  expect(states.slice(MOST)).toEqual(Array(MOST).fill(true))
  expect(await slowly).toBe(true)
})

test('[no number of slow callers fills memory] what was read counts no more', async () => {
  const first = await asked()
  await pass(PATIENCE_MS + 300)
  for (let count = 0; count < 2 * MOST; count++) expect(await isAnsweredWhole(await asked())).toBe(true)
  expect(await isAnsweredWhole(first)).toBe(true)
})

test('[no number of slow callers fills memory] many who read at once are all served', async () => {
  const readers = Array.from({ length: 3 * MOST }, () => ask(plain.server, get('/')))
  expect(await Promise.all(readers.map(isAnsweredWhole))).toEqual(readers.map(() => true))
})

test.each([
  ['an answer over REST', get('/usp/v1/services/svc_long')],
  ['an answer over MCP', tool('tools/call', { name: 'usp_services_get', arguments: { service_id: 'svc_long' } })],
])('[no number of slow callers fills memory] %s goes out in pieces, and is as long as was said', async (_, text) => {
  const { socket, response } = await asking(whole.app.server, text)
  expect(Number(response.getHeader('content-length'))).toBeGreaterThan(LONG)
  await pass(200)
  expect(response.closed).toBe(false)
  expect(response.writableLength + (response.socket?.writableLength ?? 0)).toBeLessThan(3 * PIECE)
  expect(await isAnsweredWhole(socket)).toBe(true)
})
