import { createSecretKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeNonces } from '../../src/core/authentication/proof-nonces.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { type Ask, bindingsOf, expectRefused, expectServed, scopedServer } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const server = await scopedServer({ authorization: { proof_nonces: true } })
const platform = await testPlatform()
const key = testKey()
const later = (seconds: number) => new Date(START.getTime() + seconds * 1000)

describe.each(bindingsOf(server, platform).map((one) => [one.name, one] as const))('over %s', (name, binding) => {
  const create = (ask: Ask = {}) => binding.call('usp_bookings_create', {}, { key, ...ask })

  test('[POP-088] [ERR-057] a proof without nonce gets one, and a fresh proof that carries it passes', async () => {
    const asked = await create()
    expectRefused(binding, asked, 'proof_nonce_required')
    expect(asked.nonce).toMatch(/^[\w.-]{16,}$/)
    expectServed(binding, await create({ claims: { nonce: asked.nonce } }))
  })

  test.each([
    ['an unknown one', 'n-0S6_WzA2Mj'],
    ['one of another business', makeNonces(createSecretKey(Buffer.alloc(32))).make(START)],
    ['one that expired', server.runtime.nonces.make(later(-301))],
    ['one of the future', server.runtime.nonces.make(later(60))],
    ['a number', 17],
    ['an empty one', ''],
    ['a tampered one', server.runtime.nonces.make(START).replace(/^./, '0')],
  ])('[POP-089] the nonce does not pass when it is %s, and a new one is told', async (_, nonce) => {
    const asked = await create({ claims: { nonce } })
    expectRefused(binding, asked, 'proof_nonce_required')
    expect(asked.nonce).not.toBe(nonce)
    expectServed(binding, await create({ claims: { nonce: asked.nonce } }))
  })

  test('[POP-092] with nonces a repeated jti is still a replay', async () => {
    const claims = { nonce: (await create()).nonce, jti: `once ${name}` }
    expectServed(binding, await create({ claims }))
    expectRefused(
      binding,
      await create({ claims: { ...claims, iat: START.getTime() / 1000 - 1 } }),
      'pop_proof_replayed',
    )
  })

  test('[ERR-058] no other refusal tells a nonce', async () => {
    const refusals = [
      await create({ header: { typ: 'JWT' } }),
      await create({ proof: 'a.b.c' }),
      await binding.call('usp_bookings_create', {}),
      await create({ agent: '' }),
    ]
    for (const refused of refusals) {
      expect(refused.code).not.toBe('proof_nonce_required')
      expect(JSON.stringify(refused.body)).not.toContain('"nonce"')
      expect(refused.headers).not.toHaveProperty('dpop-nonce')
    }
  })
})

test('[POP-090] on REST the nonce also stands in DPoP-Nonce, and WWW-Authenticate says to use it', async () => {
  const [rest] = bindingsOf(server, platform)
  const { headers, nonce } = await rest.call('usp_bookings_create', {}, { key })
  expect(headers['dpop-nonce']).toBe(nonce)
  expect(headers['www-authenticate']).toContain('DPoP')
  expect(headers['www-authenticate']).toContain('error="use_dpop_nonce"')
})
