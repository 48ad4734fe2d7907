import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { serverWithAllInterfaces } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'

const CALLERS = 60
/** As much as is read of a connection in one go. */
const filledWith = (text: string) => text.repeat((64 * 1024) / text.length)
const CHUNKS = filledWith('1\r\n \r\n')
const HEAD =
  'POST /usp/v1/services/list HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
/** Milliseconds of processor time; what one turn takes of all of them is half a second. */
const AT_MOST = 150

const { app, rest } = await serverWithAllInterfaces(businessWith([service('svc_one')]))
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

async function connected(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
    .on('error', () => {})
    .resume()
  await once(socket, 'connect')
  return socket
}

test.each([
  ['bodies in chunks of one byte', HEAD, CHUNKS],
  ['bodies that come with their heads', '', HEAD + CHUNKS],
  ['requests one behind the other', '', filledWith('GET / HTTP/1.1\r\nHost: a\r\n\r\n')],
])('[no number of calls stalls the server] many %s are not parsed in one turn', async (_, before, text) => {
  const callers = await Promise.all(Array.from({ length: CALLERS }, connected))
  for (const caller of callers) caller.write(before)
  // So that all that follows is there to be read in the same turn.
  await pass(500)
  for (const caller of callers) caller.write(text)
  // What it takes to send it is not the server's.
  const longest = longestTurn()
  await expect.poll(() => callers.every(({ destroyed }) => destroyed)).toBe(true)
  expect(longest()).toBeLessThan(AT_MOST * slowness())
  // Where the machine is busy the server turns calls away for a while.
  await expect.poll(async () => (await rest('POST', '/services/list', {})).status).toBe(200)
})
