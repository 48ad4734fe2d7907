import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { testPlatform } from '../support/platform.ts'
import { serverWithAllInterfaces } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'

const MEBIBYTE = 1024 * 1024

const { app, rest } = await serverWithAllInterfaces(businessWith([service('svc_one')]))
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const open = new Set<Socket>()
afterEach(() => {
  for (const socket of open) socket.destroy()
})

/** A call whose body begins with this and never ends. */
async function begin(
  body: Buffer | string,
  how = `Content-Length: ${MEBIBYTE}`,
  path = '/services/list',
): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  open.add(socket)
  socket.on('error', () => {}).once('close', () => open.delete(socket))
  socket.resume()
  await once(socket, 'connect')
  socket.write(`POST /usp/v1${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${how}\r\n\r\n`)
  await new Promise((sent) => socket.write(body, sent))
  return socket
}

test('[no number of slow callers fills memory] of many bodies that do not end the oldest are cut off', async () => {
  for (let count = 0; count < 100; count++) await begin(Buffer.alloc(MEBIBYTE - 1, ' '))
  await expect.poll(() => open.size).toBeLessThanOrEqual(64)
  const last = await begin(' ')
  expect(open.size).toBeGreaterThan(55)
  expect((await rest('POST', '/services/list', {})).status).toBe(200)
  expect(last.destroyed).toBe(false)
})

test('[no number of slow callers fills memory] a body in many small pieces takes what each piece takes', async () => {
  for (let count = 0; count < 40; count++) await begin('1\r\n \r\n'.repeat(4_000), 'Transfer-Encoding: chunked')
  await expect.poll(() => open.size).toBeLessThanOrEqual(32)
})

test('[no number of calls stalls the server] large bodies that end in the same moment are read one by one', async () => {
  const members = Object.fromEntries(Array.from({ length: 9_000 }, (_, nth) => [`m${nth}`, nth]))
  const body = JSON.stringify(members)
  const callers = await Promise.all(
    Array.from({ length: 150 }, () => begin(body.slice(0, -1), `Content-Length: ${body.length}`, '/bookings')),
  )
  // So that of each nothing but the end is left to be read.
  await pass(1_000)
  let answered = 0
  for (const caller of callers) caller.once('data', () => answered++)
  const longest = longestTurn()
  for (const caller of callers) caller.write('}')
  await expect.poll(() => answered).toBe(callers.length)
  expect(longest()).toBeLessThan(200 * slowness())
})

test('[no number of slow callers fills memory] what was answered counts no more', async () => {
  const query = { query: 'one', kept_busy_with: Array(15).fill('a'.repeat(60_000)) }
  const slow = await begin(' ')
  for (let count = 0; count < 100; count++) expect((await rest('POST', '/services/list', query)).status).toBe(200)
  expect(slow.destroyed).toBe(false)
})

test('[no number of slow callers fills memory] what still comes when its call has ended counts for nobody', async () => {
  const slow = await begin(' ')
  for (let count = 0; count < 100; count++)
    expect((await rest('POST', '/services/list', { query: 'a'.repeat(1_200_000) })).status).toBe(413)
  expect(slow.destroyed).toBe(false)
})

const url = '/usp/v1/services/list'
const type = { 'content-type': 'application/json' }
const large = JSON.stringify({ kept_busy_with: Array(15).fill('a'.repeat(60_000)) })

/** What is answered to an honest call, through the port. */
async function honest(body: string): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}${url}`, { method: 'POST', headers: type, body })
  return status
}

test.each([1, 5, 40])(
  '[one address does not take the places of all] nor do %i: bodies that are worked on cut nobody else off',
  async (count) => {
    const silent = await testPlatform()
    silent.answer = () => {}
    const headers = { ...type, 'usp-agent': `profile="${silent.url}"` }
    const send = (remoteAddress: string) => app.inject({ method: 'POST', url, remoteAddress, headers, payload: large })
    const addresses = Array.from({ length: count }, (_, nth) => `203.0.113.${nth + 1}`)
    const sent = addresses.map((address) => Promise.all(Array.from({ length: 20 }, () => send(address))))
    await expect.poll(() => silent.fetched).toBe(1)
    expect(await honest(JSON.stringify({ query: 'one' }))).toBe(200)
    if (count < 10) expect(await honest(large)).toBe(200)
    const codes = (await Promise.all(sent)).map((some) => some.map(({ statusCode }) => statusCode))
    expect(new Set(codes.flat()).isSubsetOf(new Set([424, 429, 503]))).toBe(true)
    const taken = codes.map((some) => some.filter((code) => code === 424).length)
    expect(Math.max(...taken)).toBeLessThan(10)
    expect(taken.reduce((sum, one) => sum + one)).toBeLessThan(38)
    // What has its answer takes no place any more.
    silent.answer = undefined
    const again = { method: 'POST', url, remoteAddress: '203.0.113.1', headers: type, payload: large } as const
    expect((await app.inject(again)).statusCode).toBe(200)
  },
)
