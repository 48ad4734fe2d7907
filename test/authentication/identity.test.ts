import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { freshDatabase } from '../support/database.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { type Ask, bindingsOf, expectRefused, expectServed, scopedServer, thingCount } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const databaseUrl = await freshDatabase()
const server = await scopedServer({}, { databaseUrl })
const { db } = server.runtime
const platform = await testPlatform()
const elsewhere = await testPlatform()
const both = bindingsOf(server, platform)
const CREATE = 'usp_bookings_create'
const SUBSCRIBE = 'usp_services_feed_subscribe'
const wish = { callback_url: 'https://127.0.0.1:9443/hook' }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const profilesOf = async (principal: string) =>
  (await db.selectFrom('principals').select('profile').where('principal', '=', principal).execute()).map(
    ({ profile }) => profile,
  )

describe.each(both.map((one) => [one.name, one, both.find((other) => other !== one) ?? one] as const))(
  'over %s',
  (_, binding, onOther) => {
    const newClient = async () => {
      const { id, key } = await addClient(db, 'Client', START)
      return { principal: `client:${id}`, ask: { headers: bearer(key) } }
    }
    const newKey = async () => {
      const key = testKey()
      return { principal: `key:${key.thumbprint}`, ask: { key } as Ask }
    }
    const principals = [
      ['a proof', newKey],
      ['an API key', newClient],
    ] as const

    test.each(principals)(
      '[AUT-046] [AUT-047] who calls by %s is bound to the first profile named, another is refused and does nothing',
      async (_, make) => {
        const { principal, ask } = await make()
        expectServed(binding, await binding.call(CREATE, {}, ask))
        expect(await profilesOf(principal)).toEqual([platform.url])
        const things = await thingCount(server)
        for (const agent of [elsewhere.url, `${platform.url}?other`])
          expectRefused(binding, await binding.call(CREATE, {}, { ...ask, agent }), 'authentication_required')
        expect(await thingCount(server)).toBe(things)
        expect(await profilesOf(principal)).toEqual([platform.url])
        expectServed(binding, await binding.call(CREATE, {}, ask))
      },
    )

    test.each(principals)(
      '[AUT-052] who called by %s on one binding is bound on the other as well',
      async (_, make) => {
        const { ask } = await make()
        expectServed(binding, await binding.call(CREATE, {}, ask))
        expectRefused(
          onOther,
          await onOther.call(CREATE, {}, { ...ask, agent: elsewhere.url }),
          'authentication_required',
        )
        expectServed(onOther, await onOther.call(CREATE, {}, ask))
      },
    )

    test('[AUT-048] [AUT-049] [IDM-010] principals that share a profile are all served, and see nothing of each other', async () => {
      const [one, other] = [await newKey(), await newClient()]
      const idempotencyKey = crypto.randomUUID()
      const made = await binding.call(CREATE, {}, { ...one.ask, idempotencyKey })
      const theirs = await binding.call(CREATE, {}, { ...other.ask, idempotencyKey })
      expectServed(binding, theirs)
      expect(theirs.thing.id).not.toBe(made.thing.id)
      for (const tool of ['usp_bookings_get', 'usp_bookings_update', 'usp_bookings_cancel']) {
        const foreign = await binding.call(tool, { booking_id: made.thing.id }, other.ask)
        const unknown = await binding.call(tool, { booking_id: 'booking_unknown' }, other.ask)
        const { instance: _, ...told } = foreign.body
        expect(foreign.code).toBe('booking_not_found')
        expect(unknown.body).toMatchObject(told)
      }
      const subscribed = await binding.call(SUBSCRIBE, wish, one.ask)
      const { id } = (subscribed.body.result?.structuredContent ?? subscribed.body).subscription
      const seen = await binding.call('usp_services_feed_subscription_get', { subscription_id: id }, other.ask)
      expect(seen.code).toBe('subscription_not_found')
    })

    test('[AUT-050] naming the profile of another platform gives a principal of one’s own or a 401', async () => {
      const published = testKey()
      const { url } = await testPlatform({ keys: [{ ...published.jwk, kid: 'key-1' }] })
      const made = await binding.call(CREATE, {}, { key: published, agent: url })
      expectServed(binding, made)
      expectRefused(binding, await binding.call(CREATE, {}, { agent: url }), 'authentication_required')
      const read = await binding.call('usp_bookings_get', { booking_id: made.thing.id }, { key: testKey(), agent: url })
      expect(read.code).toBe('booking_not_found')
    })

    test('[AUT-051] a refused call and a public one bind nothing', async () => {
      const { principal, ask } = await newKey()
      const agent = elsewhere.url
      const stale = { ...ask, agent, claims: { iat: 1 } }
      expectRefused(binding, await binding.call(CREATE, {}, stale), 'pop_proof_invalid')
      const proof = binding.proof(CREATE, {}, { ...ask, agent, header: { typ: 'JWT' } })
      expectRefused(binding, await binding.call(CREATE, {}, { agent, proof }), 'pop_proof_invalid')
      expect(await profilesOf(principal)).toEqual([])
      expectServed(binding, await binding.call(CREATE, {}, ask))
      expect(await profilesOf(principal)).toEqual([platform.url])
    })

    test('[AUT-053] the binding holds for another replica and after a restart', async () => {
      const { ask } = await newKey()
      expectServed(binding, await binding.call(CREATE, {}, ask))
      const [rest, mcp] = bindingsOf(await scopedServer({}, { databaseUrl }), platform)
      const restarted = binding.name === 'REST' ? rest : mcp
      const agent = elsewhere.url
      expectRefused(binding, await restarted.call(CREATE, {}, { ...ask, agent }), 'authentication_required')
      expectServed(binding, await restarted.call(CREATE, {}, ask))
    })

    test('[AUT-046] [AUT-048] of two first calls at once with different profiles one is served', async () => {
      const { principal, ask } = await newKey()
      const answers = await Promise.all(
        [platform.url, elsewhere.url].map((agent) => binding.call(CREATE, {}, { ...ask, agent })),
      )
      expect(answers.map(({ code }) => code ?? 'served').sort()).toEqual(['authentication_required', 'served'])
      expect(await profilesOf(principal)).toHaveLength(1)
    })
  },
)
