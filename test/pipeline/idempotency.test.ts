import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { testKey, testPlatform } from '../support/platform.ts'
import {
  type Ask,
  bindingsOf,
  expectRefused,
  expectServed,
  nextFailure,
  scopedServer,
  thingCount,
} from '../support/scoped.ts'
import { START } from '../support/server.ts'

const server = await scopedServer()
const platform = await testPlatform()
const DAY = 24 * 3_600_000
const CREATE = 'usp_bookings_create'
const SUBSCRIBE = 'usp_services_feed_subscribe'
const callback_url = 'https://127.0.0.1:9443/hook'

afterEach(() => {
  nextFailure.next = 'none'
  server.time.now = START
})

const wait = (ms: number) => {
  server.time.now = new Date(START.getTime() + ms)
}

const replies = (key: string) =>
  server.runtime.db.selectFrom('replies').select(['principal']).where('key', '=', key).execute()

/** Written down of a call apart from what its operation does, so that it stays whatever becomes of that. */
const OF_THE_CALL = ['principals', 'rate_limits', 'replies', 'seen_proofs']

/** All that operations have written, by table. */
async function contents(): Promise<Record<string, string[]>> {
  const { db } = server.runtime
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by name`.execute(db)
  const names = tables.rows.map(({ name }) => name).filter((name) => !OF_THE_CALL.includes(name))
  const read = async (name: string) => {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by row`.execute(
      db,
    )
    return [name, rows.map(({ row }) => row)] as const
  }
  return Object.fromEntries(await Promise.all(names.map(read)))
}

describe.each(bindingsOf(server, platform).map((one) => [one.name, one] as const))('over %s', (name, binding) => {
  const conflict = [name === 'REST' ? 409 : -32602, 'idempotency_conflict']
  const keyed = (more: Ask = {}): Ask => ({ key: testKey(), idempotencyKey: randomUUID(), ...more })

  test('[IDM-003] [IDM-004] [IDM-026] repeating a request gives the first answer and does nothing again', async () => {
    const ask = keyed()
    const first = await binding.call(CREATE, { note: 'x' }, ask)
    const things = await thingCount(server)
    for (let count = 0; count < 3; count++)
      expect((await binding.call(CREATE, { note: 'x' }, ask)).body).toEqual(first.body)
    expect(first.credential.value).toMatch(/^bsc_/)
    expect(await thingCount(server)).toBe(things)
  })

  test('[IDM-007] [LIV-012] the same key with other parameters is a conflict, and changes nothing', async () => {
    const ask = keyed()
    const first = await binding.call(CREATE, { note: 'x' }, ask)
    const things = await thingCount(server)
    for (const input of [{ note: 'y' }, {}, { note: 'x', party_size: 2 }]) {
      const { status, code } = await binding.call(CREATE, input, ask)
      expect([status, code]).toEqual(conflict)
    }
    expect(await thingCount(server)).toBe(things)
    expect((await binding.call(CREATE, { note: 'x' }, ask)).body).toEqual(first.body)
  })

  test('[IDM-007] all that is kept of a request is compared, to the last byte', async () => {
    const ask = keyed()
    const first = await binding.call(CREATE, { note: 'x' }, ask)
    const change = (nth: number) =>
      sql`update replies set fingerprint = set_byte(fingerprint, ${nth}, get_byte(fingerprint, ${nth}) # 1)
        where key = ${ask.idempotencyKey}`.execute(server.runtime.db)
    for (const nth of [0, 15, 31]) {
      await change(nth)
      const { status, code } = await binding.call(CREATE, { note: 'x' }, ask)
      expect([status, code]).toEqual(conflict)
      await change(nth)
    }
    expect((await binding.call(CREATE, { note: 'x' }, ask)).body).toEqual(first.body)
  })

  test('[IDM-008] the same key on another operation is a conflict', async () => {
    const key = testKey()
    const ask = keyed({ key })
    const { thing } = await binding.call(CREATE, {}, ask)
    for (const [tool, input] of [
      ['usp_waitlist_join', {}],
      ['usp_bookings_cancel', { booking_id: thing.id }],
      [SUBSCRIBE, { callback_url }],
    ] as const) {
      const { status, code } = await binding.call(tool, input, ask)
      expect([status, code]).toEqual(conflict)
    }
    expect((await binding.call('usp_bookings_get', { booking_id: thing.id }, { key })).thing.status).toBe('active')
  })

  test('[IDM-009] the resource belongs to the parameters: the key of one cancel is a conflict on another', async () => {
    const owner = { key: testKey() }
    const one = (await binding.call(CREATE, {}, owner)).thing.id
    const other = (await binding.call(CREATE, {}, owner)).thing.id
    const withKey = keyed(owner)
    expectServed(binding, await binding.call('usp_bookings_cancel', { booking_id: one }, withKey))
    const { status, code } = await binding.call('usp_bookings_cancel', { booking_id: other }, withKey)
    expect([status, code]).toEqual(conflict)
    expect((await binding.call('usp_bookings_get', { booking_id: other }, owner)).thing.status).toBe('active')
  })

  test('[IDM-010] two principals with one key and input each get a result of their own', async () => {
    const idempotencyKey = randomUUID()
    const one = await binding.call(CREATE, {}, { key: testKey(), idempotencyKey })
    const other = await binding.call(CREATE, {}, { key: testKey(), idempotencyKey })
    expectServed(binding, other)
    expect(other.thing.id).not.toBe(one.thing.id)
    expect(await replies(idempotencyKey)).toHaveLength(2)
  })

  test('[IDM-012] [IDM-013] [REST-029] headers and `_meta` are no parameters: another spelling of the call is a replay', async () => {
    const ask = keyed({ headers: { 'usp-correlation-id': 'one', 'user-agent': 'first' } })
    const first = await binding.call(CREATE, {}, ask)
    const headers = {
      'usp-correlation-id': 'two',
      'user-agent': 'second',
      ...(name === 'REST' && { 'usp-agent': `other="x", profile="${platform.url}";v=1` }),
    }
    const again = await binding.call(CREATE, {}, { ...ask, headers })
    expectServed(binding, again)
    expect(again.thing).toEqual(first.thing)
  })

  test('[IDM-015] a record is kept seven days, then the key counts as new', async () => {
    const ask = keyed()
    const first = await binding.call(CREATE, {}, ask)
    wait(7 * DAY - 1000)
    expect((await binding.call(CREATE, {}, ask)).thing).toEqual(first.thing)
    wait(7 * DAY + 1000)
    const later = await binding.call(CREATE, { note: 'also other parameters' }, ask)
    expectServed(binding, later)
    expect(later.thing.id).not.toBe(first.thing.id)
  })

  test('[IDM-016] [IDM-023] a refusal by the business is kept and replayed, also when it would now be accepted', async () => {
    const ask = keyed()
    const things = await thingCount(server)
    nextFailure.next = 'refused'
    const first = await binding.call(CREATE, {}, ask)
    expect(first.code).toBe('slot_unavailable')
    nextFailure.next = 'none'
    const again = await binding.call(CREATE, {}, ask)
    expect(again.body).toEqual(first.body)
    expect(await thingCount(server)).toBe(things)
  })

  test.each([
    [CREATE, ['scoped_credentials', 'things']],
    ['usp_bookings_update', ['things']],
    ['usp_bookings_cancel', ['things']],
  ])('[ERR-011] a refusal by the business leaves nothing of what %s wrote, which is in %j', async (tool, written) => {
    const key = testKey()
    const { thing } = await binding.call(CREATE, {}, { key })
    const input = { note: 'other', ...(tool !== CREATE && { booking_id: thing.id }) }
    const before = await contents()
    nextFailure.next = 'refused'
    expect((await binding.call(tool, input, keyed({ key }))).code).toBe('slot_unavailable')
    expect((await binding.call(tool, input, { key })).code).toBe('slot_unavailable')
    expect(await contents()).toEqual(before)
    nextFailure.next = 'none'
    expectServed(binding, await binding.call(tool, input, keyed({ key })))
    const after = await contents()
    expect(Object.keys(after).filter((name) => after[name]?.join() !== before[name]?.join())).toEqual(written)
  })

  test.each([
    ['[IDM-017] a missing member', SUBSCRIBE, {}, 'invalid_request'],
    ['[IDM-017] a wrong type', CREATE, { note: 17 }, 'validation_error'],
    ['[IDM-017] an address that is not accepted', SUBSCRIBE, { callback_url: 'http://a.example/' }, 'validation_error'],
    [
      '[IDM-017] an unknown subscription',
      'usp_services_feed_unsubscribe',
      { subscription_id: 'sub_x' },
      'subscription_not_found',
    ],
  ] as const)('%s is not kept: the key can be used for the corrected request', async (_, tool, input, code) => {
    const ask = keyed()
    expect((await binding.call(tool, input, ask)).code).toBe(code)
    expect(await replies(String(ask.idempotencyKey))).toEqual([])
    expectServed(binding, await binding.call(SUBSCRIBE, { callback_url }, ask))
  })

  test('[IDM-017] [IDM-024] nor is a 401, and a known key without credentials gets none of the stored answer', async () => {
    const ask = keyed()
    expectRefused(binding, await binding.call(CREATE, {}, { ...ask, header: { typ: 'JWT' } }), 'pop_proof_invalid')
    const first = await binding.call(CREATE, {}, ask)
    expectServed(binding, first)
    const { idempotencyKey = '' } = ask
    const refusals = [
      await binding.call(CREATE, {}, { idempotencyKey }),
      await binding.call(CREATE, {}, { ...ask, claims: { iat: 1 } }),
    ]
    for (const refused of refusals) {
      expect(refused.status).toBe(name === 'REST' ? 401 : refused.code === 'pop_proof_invalid' ? -32001 : -32006)
      expect(JSON.stringify(refused.body)).not.toContain(first.thing.id)
      expect(refused.headers).not.toHaveProperty('idempotency-replayed')
    }
  })

  test.each(['broken', 'unreachable'] as const)(
    '[IDM-018] [IDM-023] what fails on our side is not kept and leaves nothing; the retry is executed: %s',
    async (how) => {
      const ask = keyed()
      const things = await thingCount(server)
      nextFailure.next = how
      const failed = await binding.call(CREATE, {}, ask)
      expect(failed.code).toBe(how === 'broken' ? 'server_error' : 'service_unavailable')
      expect([await thingCount(server), await replies(String(ask.idempotencyKey))]).toEqual([things, []])
      nextFailure.next = 'none'
      expectServed(binding, await binding.call(CREATE, {}, ask))
      expect(await thingCount(server)).toBe(things + 1)
    },
  )

  test('a replay of a creation shows what was created, also when it has ended since', async () => {
    const ask = keyed()
    const first = await binding.call(CREATE, {}, ask)
    const { key = testKey() } = ask
    await binding.call('usp_bookings_cancel', { booking_id: first.thing.id }, { key })
    expect((await binding.call(CREATE, {}, ask)).thing).toEqual(first.thing)
    expect(first.thing.status).toBe('active')
  })

  test('[IDM-029] writes without a key are executed each time', async () => {
    const key = testKey()
    const one = await binding.call(CREATE, {}, { key })
    const other = await binding.call(CREATE, {}, { key })
    expect(other.thing.id).not.toBe(one.thing.id)
  })

  test.each(['order-17', 'x', ' ~ with spaces ~ ', 'a'.repeat(255)])(
    '[IDM-030] the key %j works like any other',
    async (idempotencyKey) => {
      const ask = keyed({ idempotencyKey })
      const first = await binding.call(CREATE, {}, ask)
      expectServed(binding, first)
      expect((await binding.call(CREATE, {}, ask)).thing).toEqual(first.thing)
    },
  )

  test.each(['', 'a'.repeat(256), 'line\u0007bell', 'é'])('[IDM-031] the key %j is refused', async (idempotencyKey) => {
    const things = await thingCount(server)
    const { status, code } = await binding.call(CREATE, {}, keyed({ idempotencyKey }))
    expect([status, code]).toEqual([name === 'REST' ? 400 : -32600, 'invalid_request'])
    expect(await thingCount(server)).toBe(things)
  })

  test('[IDM-033] what ended its own credential is still answered when retried with key, credential and proof', async () => {
    const { key = testKey(), idempotencyKey = '' } = keyed()
    const { thing, credential } = await binding.call(CREATE, {}, { key })
    const input = { booking_id: thing.id }
    const ask = { key, credential: credential.value, idempotencyKey }
    const first = await binding.call('usp_bookings_cancel', input, ask)
    expect(first.thing.status).toBe('ended')
    expect((await binding.call('usp_bookings_cancel', input, ask)).body).toEqual(first.body)
    const { idempotencyKey: _, ...unkeyed } = ask
    expectRefused(binding, await binding.call('usp_bookings_cancel', input, unkeyed), 'authentication_required')
  })
})
