import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { rfc3339Exact } from '../../src/infra/time/time-zone.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { bindingsOf, expectRefused, expectServed, lifetime, nextFailure, scopedServer } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const server = await scopedServer()
const platform = await testPlatform()
const key = testKey()
const apiKey = (await addClient(server.runtime.db, 'Known', START)).key
const bearer = { headers: { authorization: `Bearer ${apiKey}` } }

describe.each(bindingsOf(server, platform).map((one) => [one.name, one] as const))('over %s', (name, binding) => {
  const create = () => binding.call('usp_bookings_create', {}, { key })
  const createUnbound = () => binding.call('usp_bookings_create', {}, bearer)

  test('[BSC-001] [BSC-002] [BSC-003] a credential is random text after bsc_ that tells nothing of its resource', async () => {
    const { thing, credential } = await create()
    expect(credential.value).toMatch(/^bsc_[\w-]{43}$/)
    expect(Buffer.from(credential.value.slice(4), 'base64url')).toHaveLength(32)
    const decoded = Buffer.from(credential.value.slice(4), 'base64url').toString('latin1')
    for (const text of [credential.value, decoded]) expect(text).not.toContain(thing.id.slice(-12))
    expect((await create()).credential.value).not.toBe(credential.value)
  })

  test('[BSC-004] [BSC-005] [BSC-006] it has its value, an end in the future and the thumbprint, nothing else', async () => {
    const { credential } = await create()
    expect(credential).toEqual({
      value: expect.any(String),
      expires_at: rfc3339Exact('America/New_York', new Date(START.getTime() + lifetime.next)),
      cnf: { jkt: key.thumbprint },
    })
    expect(credential.cnf?.jkt).toMatch(/^[\w-]{43}$/)
  })

  test('[BSC-018] without a proof on the creating call it has no cnf, with one it has', async () => {
    expect((await createUnbound()).credential).toEqual({ value: expect.any(String), expires_at: expect.any(String) })
    expect((await create()).credential).toHaveProperty('cnf')
  })

  test('[BSC-012] [BSC-014] it stands beside the resource alone: not in it and not in the words about it', async () => {
    const { body, thing, credential } = await create()
    expect(JSON.stringify(body).split(credential.value)).toHaveLength(2)
    expect(JSON.stringify(thing)).not.toContain('bsc_')
    if (name === 'MCP')
      expect(body.result.content).toEqual([{ type: 'text', text: expect.not.stringContaining('bsc_') }])
    const read = await binding.call('usp_bookings_get', { booking_id: thing.id }, { key })
    expect(JSON.stringify(read.body)).not.toContain('bsc_')
  })

  test('[BSC-019] it opens no other resource, also none of the same owner, existing or not', async () => {
    const { credential } = await create()
    const other = await create()
    for (const booking_id of [other.thing.id, 'booking_unknown'])
      for (const tool of ['usp_bookings_get', 'usp_bookings_update', 'usp_bookings_cancel']) {
        const answer = await binding.call(tool, { booking_id }, { key, credential: credential.value })
        expectRefused(binding, answer, 'authentication_required')
      }
    const read = await binding.call('usp_bookings_get', { booking_id: other.thing.id }, { key })
    expect(read.thing.status).toBe('active')
  })

  test('[BSC-020] one kind of credential opens no other kind of resource, even under the same id', async () => {
    const kinds = [
      ['usp_bookings_create', 'usp_bookings_get'],
      ['usp_waitlist_join', 'usp_waitlist_get'],
      ['usp_availability_hold', 'usp_availability_get'],
    ] as const
    for (const [make, own] of kinds) {
      const { thing, credential } = await binding.call(make, {}, { key })
      const ask = { key, credential: credential.value }
      for (const [, read] of kinds) {
        const answer = await binding.call(read, { booking_id: thing.id }, ask)
        if (read === own) expectServed(binding, answer)
        else expectRefused(binding, answer, 'authentication_required')
      }
    }
  })

  test.each([
    ['[BSC-022] a booking', 'usp_bookings', 'create', ['get', 'update', 'cancel']],
    ['[BSC-023] a waitlist entry', 'usp_waitlist', 'join', ['get', 'accept', 'leave']],
    ['[BSC-021] a hold', 'usp_availability', 'hold', ['get', 'extend', 'release']],
  ])(
    '%s is managed by its credential in all that follows its creation, and nothing is created by it',
    async (_, noun, make, moves) => {
      const { thing, credential } = await binding.call(`${noun}_${make}`, {}, { key })
      const ask = { key, credential: credential.value }
      for (const move of moves)
        expectServed(binding, await binding.call(`${noun}_${move}`, { booking_id: thing.id }, ask))
      expectRefused(binding, await binding.call(`${noun}_${make}`, {}, ask), 'authentication_required')
    },
  )

  test('[BSC-024] with a scope, what is not listed there is refused and what is listed works', async () => {
    const { thing, credential } = await create()
    await server.runtime.db
      .updateTable('scoped_credentials')
      .set({ scope: ['usp_bookings_get'] })
      .where('resource_id', '=', thing.id)
      .execute()
    const ask = { key, credential: credential.value }
    const booking_id = thing.id
    expectServed(binding, await binding.call('usp_bookings_get', { booking_id }, ask))
    for (const tool of ['usp_bookings_update', 'usp_bookings_cancel'])
      expectRefused(binding, await binding.call(tool, { booking_id }, ask), 'authentication_required')
    const { thing: unchanged } = await binding.call('usp_bookings_get', { booking_id }, ask)
    expect(unchanged.status).toBe('active')
  })

  test('[BSC-026] it is accepted a second before its end and refused a second after', async () => {
    const { thing, credential } = await create()
    const read = (ask = {}) => binding.call('usp_bookings_get', { booking_id: thing.id }, { key, ...ask })
    const end = Date.parse(credential.expires_at)
    const at = async (ms: number, ask: object) => {
      server.time.now = new Date(ms)
      return read(ask).finally(() => {
        server.time.now = START
      })
    }
    const ask = { credential: credential.value }
    expectServed(binding, await at(end - 1000, ask))
    expectRefused(binding, await at(end + 1000, ask), 'authentication_required')
    expect((await at(end + 1000, {})).thing.status).toBe('active')
  })

  test('[BSC-034] it needs a platform profile named as well', async () => {
    const { thing, credential } = await create()
    const answer = await binding.call(
      'usp_bookings_get',
      { booking_id: thing.id },
      { key, credential: credential.value, agent: '' },
    )
    expect([answer.status, answer.code]).toEqual([name === 'REST' ? 400 : -32600, 'invalid_request'])
  })

  test('[BSC-035] under another profile than the key was first seen with it is refused', async () => {
    const { thing, credential } = await create()
    const agent = (await testPlatform()).url
    const ask = { key, credential: credential.value }
    const booking_id = thing.id
    expectRefused(
      binding,
      await binding.call('usp_bookings_get', { booking_id }, { ...ask, agent }),
      'authentication_required',
    )
    expectServed(binding, await binding.call('usp_bookings_get', { booking_id }, ask))
  })

  test('[BSC-038] [POP-012] its owner reads and changes the resource without it', async () => {
    const byKey = (await create()).thing.id
    const byClient = (await createUnbound()).thing.id
    for (const tool of ['usp_bookings_get', 'usp_bookings_update', 'usp_bookings_cancel']) {
      expectServed(binding, await binding.call(tool, { booking_id: byKey }, { key }))
      expectServed(binding, await binding.call(tool, { booking_id: byClient }, bearer))
    }
  })

  test('[FEED-044] it opens none of the five subscription operations', async () => {
    const { credential } = await create()
    const made = await binding.call('usp_services_feed_subscribe', { callback_url: 'https://127.0.0.1:9443/' }, { key })
    const { id } = (made.body.result?.structuredContent ?? made.body).subscription
    const calls = [
      ['usp_services_feed_subscribe', { callback_url: 'https://127.0.0.1:9443/' }],
      ...['_subscription_get', '_subscription_pause', '_subscription_resume'].map(
        (tail) => [`usp_services_feed${tail}`, { subscription_id: id }] as const,
      ),
      ['usp_services_feed_unsubscribe', { subscription_id: id }],
    ] as const
    for (const [tool, input] of calls) {
      const bound = await binding.call(tool, input, { key, credential: credential.value })
      expectRefused(binding, bound, 'authentication_required')
      const { credential: free } = await createUnbound()
      expectRefused(binding, await binding.call(tool, input, { credential: free.value }), 'authentication_required')
    }
  })

  test('[BSC-037] neither the log nor a refusal shows its value', async () => {
    const { thing, credential } = await create()
    const { value } = credential
    const asks = [
      { key, credential: value },
      { credential: value },
      { key: testKey(), credential: value },
      { key, credential: `${value}x` },
    ]
    for (const ask of asks)
      for (const how of ['none', 'broken'] as const) {
        nextFailure.next = how
        const answer = await binding.call('usp_bookings_update', { booking_id: thing.id }, ask)
        nextFailure.next = 'none'
        expect(JSON.stringify([answer.body, answer.headers])).not.toContain(value.slice(4))
      }
    expect(server.logged.join('\n')).not.toContain(value.slice(4))
    expect(server.logged.join('\n')).toContain('server_error')
  })
})
