import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { testPlatform } from '../support/platform.ts'
import { openPostgresProxy } from '../support/postgres-proxy.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const databaseUrl = await freshDatabase()
const proxy = await openPostgresProxy(databaseUrl)
const platform = await testPlatform()
const db = openDatabase(databaseUrl, 2, () => {})
const { key: apiKey } = await addClient(db, 'Known', new Date())
const folder = mkdtempSync(join(tmpdir(), 'usp-killed-'))
const port = await freePort()

async function serve() {
  const running = usp(['serve'], { PORT: String(port), DATABASE_URL: proxy.url, USP_DATA_DIR: folder })
  await waitForOutput(running, 'Ctrl-C stops it.')
  return running
}
let running = await serve()
afterAll(async () => {
  running.process.kill('SIGKILL')
  await running.ended
  await db.destroy()
  rmSync(folder, { recursive: true })
})

/** The server dies at this moment of the call whose transaction says the word, and another is started in its place. */
async function killedWhileLosing(what: 'the COMMIT' | 'its answer', word: string, call: () => Promise<unknown>) {
  const lost = proxy.lose(what, word)
  const unanswered = expect(call()).rejects.toThrow()
  await lost
  running.process.kill('SIGKILL')
  await Promise.all([running.ended, unanswered])
  return async () => {
    running = await serve()
    return call()
  }
}

const subscriptions = async (callback_url: string) => {
  const rows = await db.selectFrom('feed_subscriptions').select('id').where('callback_url', '=', callback_url).execute()
  return rows.map(({ id }) => id)
}

async function send(path: string, body: object, headers: Record<string, string> = {}) {
  const typed = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...typed, ...headers },
    body: JSON.stringify(body),
  })
  return { replayed: answer.headers.get('idempotency-replayed'), body: await answer.json() }
}

const overRest = async (callback_url: string, key: string) => {
  const headers = { 'usp-agent': `profile="${platform.url}"`, 'idempotency-key': key }
  const { body, replayed } = await send('/usp/v1/services/feed/subscriptions', { callback_url }, headers)
  return { id: body.subscription?.id, replayed }
}

const overMcp = async (callback_url: string, idempotency_key: string) => {
  const meta = { usp: { profile: platform.url, idempotency_key } }
  const params = { name: 'usp_services_feed_subscribe', arguments: { callback_url, _meta: meta } }
  const { body, replayed } = await send('/usp/mcp', { jsonrpc: '2.0', id: 7, method: 'tools/call', params })
  return { id: body.result?.structuredContent.subscription.id, replayed }
}

describe.each([
  { binding: 'REST', subscribe: overRest, told: 'true' },
  { binding: 'MCP', subscribe: overMcp, told: null },
])('[IDM-022] over $binding, a server that was killed', ({ subscribe, told }) => {
  test('after the commit and before its answer answers the retry with what was committed', async () => {
    const callback = `https://127.0.0.1:9443/${randomUUID()}`
    const key = randomUUID()
    const retry = await killedWhileLosing('its answer', callback, () => subscribe(callback, key))
    const [committed] = await subscriptions(callback)
    expect(committed).toMatch(/^sub_/)
    expect(await retry()).toEqual({ id: committed, replayed: told })
    expect(await subscriptions(callback)).toEqual([committed])
  })

  test('before the commit executes the retry', async () => {
    const callback = `https://127.0.0.1:9443/${randomUUID()}`
    const key = randomUUID()
    const retry = await killedWhileLosing('the COMMIT', callback, () => subscribe(callback, key))
    expect(await subscriptions(callback)).toEqual([])
    const { id, replayed } = Object(await retry())
    expect([id, replayed]).toEqual([expect.stringMatching(/^sub_/), null])
    expect(await subscriptions(callback)).toEqual([id])
    expect((await subscribe(callback, key)).id).toBe(id)
  })
})

// A table is chosen under a lock, which takes a transaction of several statements; a stylist is named.
describe.each([
  ['its answer', 'svc_table'],
  ['the COMMIT', 'svc_table'],
  ['its answer', 'svc_haircut'],
  ['the COMMIT', 'svc_haircut'],
] as const)('[BKG-055] [IDM-022] a booking whose server was killed', (lost, service_id) => {
  const agent = { 'usp-agent': `profile="${platform.url}"` }
  const bookings = () => db.selectFrom('bookings').select('id').execute()
  const claims = () => db.selectFrom('claims').select('holder_id').where('holder_kind', '=', 'booking').execute()

  test(`of ${service_id}, while losing ${lost}, is made once, and the retry is told of it`, async () => {
    const day = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)
    const query = { service_id, start_date: day(1), end_date: day(7) }
    const { slots } = (await send('/usp/v1/availability/query', query)).body
    const buyer = { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' }
    const request = { service_id, slot_id: slots[0].id, buyer }
    const key = randomUUID()
    const headers = { ...agent, 'idempotency-key': key }
    const before = (await bookings()).length

    const retry = await killedWhileLosing(lost, key, () => send('/usp/v1/bookings', request, headers))
    const committed = (await bookings()).length - before
    expect(committed).toBe(lost === 'its answer' ? 1 : 0)
    const { body, replayed } = Object(await retry())
    expect([body.booking?.status, replayed]).toEqual(['confirmed', lost === 'its answer' ? 'true' : null])
    const made = await bookings()
    expect(made).toHaveLength(before + 1)
    expect(made).toContainEqual({ id: body.booking.id })
    expect(await claims()).toHaveLength(before + 1)
    expect((await send('/usp/v1/bookings', request, headers)).body).toEqual(body)
  })
})
