import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const HOUR = 3_600_000
const TEN_MINUTES = 600_000
const url = await freshDatabase()
const platform = await testPlatform()
const db = openDatabase(url, 2, () => {})
const { key } = await addClient(db, 'Known', new Date())
const folder = mkdtempSync(join(tmpdir(), 'usp-clock-'))

async function serve(ahead: number) {
  const port = await freePort()
  const running = usp(['serve'], {
    PORT: String(port),
    DATABASE_URL: url,
    USP_DATA_DIR: folder,
    NODE_OPTIONS: '--import ./test/support/shifted-clock.ts',
    CLOCK_SHIFT: String(ahead),
  })
  await waitForOutput(running, 'Ctrl-C stops it.')
  return { ...running, origin: `http://127.0.0.1:${port}` }
}
// The first on a new database, too.
const servers = {
  fast: await serve(3 * HOUR),
  uneven: await serve(10_000),
  tenFast: await serve(TEN_MINUTES),
  tenSlow: await serve(-TEN_MINUTES),
}
const { fast, uneven } = servers
afterAll(async () => {
  for (const { process } of Object.values(servers)) process.kill('SIGKILL')
  await Promise.all(Object.values(servers).map(({ ended }) => ended))
  await db.destroy()
  rmSync(folder, { recursive: true })
})

async function post(origin: string, path: string, body: object) {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'usp-agent': `profile="${platform.url}"`,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

async function anySlot(origin: string) {
  const day = (days: number) => new Date(Date.now() + days * 24 * HOUR).toISOString().slice(0, 10)
  const query = { service_id: 'svc_haircut', start_date: day(2), end_date: day(7) }
  const { slots } = (await post(origin, '/usp/v1/availability/query', query)).body
  return { service_id: 'svc_haircut', slot_id: slots[0].id }
}

test('[the database tells the time] a server whose clock is hours fast changes nothing, and says why; what is read stays right', async () => {
  const ready = await fetch(`${fast.origin}/readyz`)
  expect([ready.status, (await ready.json()).detail]).toEqual([
    503,
    "The clock of this machine is 10800 s ahead of the database's: correct it, and synchronize it with NTP. Until then the server refuses changes.",
  ])
  const wish = await anySlot(fast.origin)
  const refused = await post(fast.origin, '/usp/v1/availability/holds', wish)
  expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const params = { name: 'usp_availability_hold', arguments: { ...wish, _meta: { usp: { profile: platform.url } } } }
  const { error } = (await post(fast.origin, '/usp/mcp', { jsonrpc: '2.0', id: 7, method: 'tools/call', params })).body
  expect(error).toMatchObject({ code: -32009, data: { code: 'service_unavailable' } })
  // Nothing that the others are to do was put off, and nothing was dated ahead.
  const ahead = (at: Date | undefined) => (at?.getTime() ?? 0) - Date.now()
  const { created_at } = await db.selectFrom('signing_keys').select('created_at').executeTakeFirstOrThrow()
  expect(ahead(created_at)).toBeLessThan(2_000)
  const jobs = await db.selectFrom('housekeeping').selectAll().execute()
  for (const { next_at } of jobs) expect(ahead(next_at)).toBeLessThan(24 * HOUR + 2_000)
})

test('[the database tells the time] a server whose clock is seconds off says so, and works by the right one', async () => {
  expect((await fetch(`${uneven.origin}/readyz`)).status).toBe(200)
  expect(uneven.output()).toContain("The clock of this machine is 10 s ahead of the database's")
  const { status, body } = await post(uneven.origin, '/usp/v1/availability/holds', await anySlot(uneven.origin))
  expect(status).toBe(201)
  const minutes = (Date.parse(body.hold.expires_at) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(9.8)
  expect(minutes).toBeLessThanOrEqual(10.02)
})

test.each([
  ['tenFast', 'ahead of'],
  ['tenSlow', 'behind'],
] as const)(
  '[the database tells the time] a server whose clock is ten minutes off (%s) changes nothing',
  async (name, way) => {
    const { origin } = servers[name]
    const ready = await fetch(`${origin}/readyz`)
    expect([ready.status, (await ready.json()).detail]).toEqual([
      503,
      expect.stringContaining(`is 600 s ${way} the database's`),
    ])
    const held = await post(origin, '/usp/v1/availability/holds', await anySlot(origin))
    expect([held.status, held.body.code]).toEqual([503, 'service_unavailable'])
  },
)
