import { describe, expect, test } from 'vitest'
import { thumbprintOf } from '../../src/core/keys/public-keys.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { bindingsOf, expectRefused, expectServed, scopedServer } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const server = await scopedServer()
const platform = await testPlatform()
const SUBSCRIBE = 'usp_services_feed_subscribe'
const SUBSCRIPTION = 'usp_services_feed_subscription_get'
const wish = { callback_url: 'https://127.0.0.1:9443/hook' }

describe.each(bindingsOf(server, platform).map((one) => [one.name, one] as const))('over %s', (name, binding) => {
  const subscriptionOf = (body: { result?: { structuredContent: object } }): { id: string } =>
    Object(body.result?.structuredContent ?? body).subscription

  test.each([
    ['[POP-001] [POP-002] a hold', 'usp_availability_hold', {}],
    ['[POP-001] [POP-002] a booking', 'usp_bookings_create', {}],
    ['[POP-001] [POP-002] a waitlist entry', 'usp_waitlist_join', {}],
    ['[POP-003] a feed subscription', SUBSCRIBE, wish],
  ])('%s is made with a proof alone, by a key never seen before [POP-006]', async (_, tool, input) => {
    expect(platform.profile).not.toHaveProperty('keys')
    expectServed(binding, await binding.call(tool, input, { key: testKey() }))
    expectRefused(binding, await binding.call(tool, input), 'authentication_required')
  })

  test.each(['EdDSA', 'ES256'] as const)(
    '[POP-004] the credential is bound to the RFC 7638 thumbprint of the key of the proof: %s',
    async (kind) => {
      const key = testKey(kind)
      const { credential } = await binding.call('usp_bookings_create', {}, { key })
      expect(credential.cnf).toEqual({ jkt: key.thumbprint })
    },
  )

  test('[POP-005] [POP-012] what one key makes belongs to one principal: its proof alone reads all of it', async () => {
    const key = testKey()
    for (let count = 0; count < 2; count++) {
      const { thing } = await binding.call('usp_bookings_create', {}, { key })
      expect((await binding.call('usp_bookings_get', { booking_id: thing.id }, { key })).thing).toEqual(thing)
      expectServed(binding, await binding.call('usp_bookings_cancel', { booking_id: thing.id }, { key }))
    }
    const rows = await server.runtime.db
      .selectFrom('scoped_credentials')
      .select('principal')
      .where('jkt', '=', key.thumbprint)
      .execute()
    expect(rows).toEqual([{ principal: `key:${key.thumbprint}` }, { principal: `key:${key.thumbprint}` }])
  })

  test('[POP-005] the log names the principal, `key:` and the thumbprint', async () => {
    const key = testKey()
    const before = server.logged.length
    await binding.call('usp_bookings_create', {}, { key })
    const lines = server.logged.slice(before).join('\n')
    expect(lines).toContain(`"key:${key.thumbprint}"`)
  })

  test('[POP-013] [AUT-058] another key under the same profile gets what an unknown id gets', async () => {
    const { thing } = await binding.call('usp_bookings_create', {}, { key: testKey() })
    for (const tool of ['usp_bookings_get', 'usp_bookings_update', 'usp_bookings_cancel']) {
      const key = testKey()
      const foreign = await binding.call(tool, { booking_id: thing.id }, { key })
      const unknown = await binding.call(tool, { booking_id: 'booking_unknown' }, { key })
      expect(foreign.code).toBe('booking_not_found')
      const { instance: _, ...told } = foreign.body
      expect(unknown).toMatchObject({ status: foreign.status, body: told })
    }
  })

  test('[POP-046] a kid that names a published key of the platform does not make that key count', async () => {
    const published = testKey()
    const own = testKey()
    const [rest, mcp] = bindingsOf(server, await testPlatform({ keys: [{ ...published.jwk, kid: 'key-1' }] }))
    const call = (name === 'REST' ? rest : mcp).call
    const { id } = subscriptionOf((await call(SUBSCRIBE, wish, { key: published })).body)
    const read = { subscription_id: id }
    expectServed(binding, await call(SUBSCRIPTION, read, { key: published }))
    const foreign = await call(SUBSCRIPTION, read, { key: own, header: { kid: 'key-1' } })
    expect(foreign.code).toBe('subscription_not_found')
    const forged = await call(SUBSCRIPTION, read, { key: own, header: { kid: 'key-1', jwk: published.jwk } })
    expectRefused(binding, forged, 'pop_proof_invalid')
  })

  test('[POP-047] a key with use, kid and alg beside its members is the same principal', async () => {
    const key = testKey('ES256')
    const { id } = subscriptionOf((await binding.call(SUBSCRIBE, wish, { key })).body)
    const { kty, crv, x, y } = key.jwk
    for (const jwk of [
      { ...key.jwk, use: 'sig', kid: 'mine', alg: 'ES256' },
      { y, x, kty, crv, key_ops: ['verify'] },
    ])
      expectServed(binding, await binding.call(SUBSCRIPTION, { subscription_id: id }, { key, header: { jwk } }))
  })

  test('[ERR-052] the problem is named by the precise code, and pop_proof_required is not sent', async () => {
    const refused = await binding.call('usp_bookings_create', {}, { key: testKey(), header: { typ: 'JWT' } })
    const { code, type, message, data } = name === 'REST' ? refused.body : refused.body.error
    if (name === 'REST')
      expect([code, type]).toEqual(['pop_proof_invalid', 'https://usp-protocol.dev/errors/pop-proof-invalid'])
    else expect([message, data.code]).toEqual(['pop_proof_invalid', 'pop_proof_invalid'])
    expect(JSON.stringify(refused.body)).not.toMatch(/pop[-_]proof[-_]required/)
  })
})

test('[POP-004] [POP-005] RFC 7638: the key of the vectors has the published thumbprint', async () => {
  const jwk = { crv: 'Ed25519', kty: 'OKP', x: 'iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w' }
  expect(thumbprintOf(jwk)).toBe('UDDReOZl1ipXAfp9wYsm13sDBMK5og--QWdBjzuf6o4')
})

test('[POP-042] the profile tells which algorithms proofs may have', async () => {
  const { body } = await server.rest('GET', '/.well-known/usp')
  expect(body.authorization.pop_signing_alg_values_supported).toEqual(['EdDSA', 'ES256', 'Ed25519'])
  expect(body.authorization.accepted_mechanisms).toContain('booking_scoped_credential')
  expect(server.time.now).toEqual(START)
})
