import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { renewScopedCredential } from '../../src/core/authentication/booking-scoped-credentials.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { bindingsOf, expectRefused, expectServed, scopedServer } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const server = await scopedServer()
const platform = await testPlatform()
const [rest, mcp] = bindingsOf(server, platform)
const { db } = server.runtime
const apiKey = (await addClient(db, 'Known', START)).key
const { thing, credential } = await rest.call(
  'usp_bookings_create',
  {},
  { headers: { authorization: `Bearer ${apiKey}` } },
)
const { value } = credential
const input = { booking_id: thing.id }
const GET = 'usp_bookings_get'

describe('a credential that is bound to no key', () => {
  test('[BSC-029] [BSC-033] is accepted on REST as DPoP, in any case, without a proof', async () => {
    for (const scheme of ['DPoP', 'dpop', 'DPOP'])
      expectServed(rest, await rest.call(GET, input, { credential: value, scheme }))
  })

  test('[BSC-030] is refused on REST as Bearer and under any other scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'Basic', 'Token'])
      expectRefused(rest, await rest.call(GET, input, { credential: value, scheme }), 'authentication_required')
  })

  test('[BSC-031] is accepted on MCP under the mechanism booking_scoped_credential', async () => {
    const mechanism = 'booking_scoped_credential'
    expectServed(mcp, await mcp.call(GET, input, { credential: value, mechanism }))
    expectRefused(mcp, await mcp.call(GET, input, { credential: `${value}x`, mechanism }), 'authentication_required')
  })

  test('[POP-063] with a proof all the same is judged with it: the ath must be its own', async () => {
    const key = testKey()
    for (const binding of [rest, mcp]) {
      const claims = { ath: 'A'.repeat(43) }
      expectRefused(binding, await binding.call(GET, input, { credential: value, key, claims }), 'pop_proof_invalid')
      expectServed(binding, await binding.call(GET, input, { credential: value, key }))
    }
  })
})

describe('what is stored', () => {
  test('[BSC-036] [IDM-025] no table of the database holds a value, also not after a retried creation', async () => {
    const ask = { key: testKey(), idempotencyKey: 'kept' }
    const values = [value]
    for (const binding of [rest, mcp])
      values.push((await binding.call('usp_bookings_create', {}, ask)).credential.value)
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['scoped_credentials', 'replies']))
    for (const { name } of rows) {
      const dump = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(db)
      const text = dump.rows.map(({ line }) => line).join('\n')
      for (const secret of values) {
        expect(text).not.toContain(secret.slice(4))
        expect(text).not.toContain(Buffer.from(secret).toString('hex'))
      }
      expect(text).not.toContain('bsc_')
    }
    const { count } = await db
      .selectFrom('replies')
      .select((is) => is.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBeGreaterThan(0)
  })

  test('[BSC-002] a thousand credentials are all different', async () => {
    const caller = {
      principal: 'client:x',
      mechanism: 'api_key',
      profile: platform.url,
      identities: ['client:x'],
      credentials: true,
    }
    const resource = { kind: 'booking', id: 'booking_1' } as const
    const values = new Set<string>()
    await db.transaction().execute(async (tx) => {
      for (let count = 0; count < 1000; count++)
        values.add(
          String((await renewScopedCredential(tx, resource, caller, { expiresAt: START, zone: 'UTC' }))?.value),
        )
    })
    expect(values.size).toBe(1000)
    for (const one of values) expect(one).toMatch(/^bsc_[\w-]{43}$/)
  })
})

describe('[BSC-013] where booking_scoped_credential is not accepted', async () => {
  const without = await scopedServer({ authorization: { accepted_mechanisms: ['platform_key_pop', 'api_key'] } })
  const key = testKey()

  test.each(bindingsOf(without, platform).map((one) => [one.name, one] as const))(
    'one that is presented over %s is refused',
    async (_, binding) => {
      const caller = {
        principal: `key:${key.thumbprint}`,
        mechanism: 'api_key',
        profile: platform.url,
        identities: [],
        credentials: true,
      }
      const later = new Date(START.getTime() + 60_000)
      const { thing } = await binding.call('usp_bookings_create', {}, { key })
      const resource = { kind: 'booking', id: thing.id } as const
      const issued = await renewScopedCredential(without.runtime.db, resource, caller, {
        expiresAt: later,
        zone: 'UTC',
      })
      expect(issued?.value).toMatch(/^bsc_/)
      const answer = await binding.call(GET, { booking_id: thing.id }, { credential: issued?.value })
      expectRefused(binding, answer, 'authentication_required')
    },
  )

  test.each(bindingsOf(without, platform).map((one) => [one.name, one] as const))(
    'none is issued over %s',
    async (_, binding) => {
      const { body } = await binding.call('usp_bookings_create', {}, { key })
      expect(JSON.stringify(body)).not.toContain('bsc_')
    },
  )
})
