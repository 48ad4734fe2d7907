import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { testPlatform } from '../support/platform.ts'
import { openPostgresProxy } from '../support/postgres-proxy.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const url = await freshDatabase()
const proxy = await openPostgresProxy(url)
const platform = await testPlatform()
const db = openDatabase(url, 2, () => {})
const { key: apiKey } = await addClient(db, 'Known', new Date())
const folder = mkdtempSync(join(tmpdir(), 'usp-frozen-'))

async function serve(databaseUrl: string) {
  const port = await freePort()
  const running = usp(['serve'], { PORT: String(port), DATABASE_URL: databaseUrl, USP_DATA_DIR: folder })
  await waitForOutput(running, 'Ctrl-C stops it.')
  return { ...running, origin: `http://127.0.0.1:${port}` }
}
const [frozen, other] = [await serve(proxy.url), await serve(url)]
afterAll(async () => {
  for (const { process } of [frozen, other]) process.kill('SIGKILL')
  await Promise.all([frozen.ended, other.ended])
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const send = (origin: string, path: string, body: object, key?: string) => post(`${origin}/usp/v1${path}`, body, key)

function sendTool(origin: string, name: string, input: object) {
  const params = { name, arguments: { ...input, _meta: { usp: { profile: platform.url } } } }
  return post(`${origin}/usp/mcp`, { jsonrpc: '2.0', id: 7, method: 'tools/call', params })
}

async function post(url: string, body: object, key: string = randomUUID()) {
  const asked = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'usp-agent': `profile="${platform.url}"`,
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
  const { status, headers } = answer
  const seconds = (performance.now() - asked) / 1000
  return { status, seconds, retryAfter: Number(headers.get('retry-after')), body: await answer.json() }
}

/** Of five for the lock, on a machine that does much else besides. */
const MOST_SECONDS = 14

test('[a frozen server lets go] a server that freezes in a transaction keeps its locks for seconds, and others are told to try again', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const query = { service_id: 'svc_table', start_date: day(1), end_date: day(7) }
  const { slots } = (await send(other.origin, '/availability/query', query)).body
  const buyer = { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' }
  const wish = { service_id: 'svc_table', slot_id: slots[0].id, party_size: 2, buyer }

  // A table is chosen under a lock, which takes a transaction of several statements.
  const key = randomUUID()
  const lost = proxy.lose('the COMMIT', key)
  const abandoned = send(frozen.origin, '/bookings', wish, key)
  await lost
  frozen.process.kill('SIGSTOP')
  const begun = performance.now()

  const told = sendTool(other.origin, 'usp_bookings_create', wish)
  const refused = await Promise.all([1, 2, 3].map(() => send(other.origin, '/bookings', wish)))
  for (const { status, body, retryAfter, seconds } of refused) {
    expect([status, body.code]).toEqual([503, 'service_unavailable'])
    expect(retryAfter).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(MOST_SECONDS)
  }
  const { seconds, body } = await told
  expect(body.error).toMatchObject({ code: -32009, data: { code: 'service_unavailable' } })
  expect(body.error.data.retry_after).toBeGreaterThan(0)
  expect(seconds).toBeLessThan(MOST_SECONDS)
  expect((await fetch(`${other.origin}/readyz`)).status).toBe(200)

  let answer = refused[0]
  while (answer?.status === 503) answer = await send(other.origin, '/bookings', wish)
  expect(answer).toMatchObject({ status: 201, body: { booking: { status: 'confirmed' } } })
  expect((performance.now() - begun) / 1000).toBeLessThan(25)

  // It finds its transaction gone, and says so to whoever waited; under the same key that can be done again, once.
  frozen.process.kill('SIGCONT')
  expect(await abandoned).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  while ((await fetch(`${frozen.origin}/readyz`)).status !== 200) await setTimeout(200)
  const bookings = () => db.selectFrom('bookings').select('id').execute()
  expect(await bookings()).toHaveLength(1)
  const again = await send(frozen.origin, '/bookings', wish, key)
  expect(again.status).toBe(201)
  expect((await send(frozen.origin, '/bookings', wish, key)).body).toEqual(again.body)
  expect(await bookings()).toHaveLength(2)
})
