import { describe, test } from 'vitest'
import { testKey, testPlatform } from '../support/platform.ts'
import { type Ask, bindingsOf, expectRefused, expectServed, lifetime, scopedServer } from '../support/scoped.ts'

const server = await scopedServer({ authorization: { proof_nonces: true } })
const platform = await testPlatform()
const key = testKey()
const foreign = testKey()
const GET = 'usp_bookings_get'
const nonce = () => server.runtime.nonces.make(server.time.now)

/** What is wrong with a call; each step of the twelve is one that the next does not get to. */
interface Wrong {
  credential?: 'unknown' | 'expired' | 'of another resource'
  proof?: 'missing' | 'garbage'
  typ?: boolean
  alg?: boolean
  key?: boolean
  signature?: boolean
  claims?: object
  nonce?: 'missing' | 'foreign'
}

const missing = { proof: 'missing' } as const
const stale = { iat: 1 }

describe.each(bindingsOf(server, platform).map((one) => [one.name, one] as const))('over %s', (name, binding) => {
  const other = { htm: 'DELETE', usp_m: 'usp_bookings_cancel' }[name === 'REST' ? 'htm' : 'usp_m']
  const wrongCall = { [name === 'REST' ? 'htm' : 'usp_m']: other }
  const wrongAudience = name === 'REST' ? { htu: 'http://other.example/' } : { aud: 'https://other.example/' }
  const wrongPayload = name === 'REST' ? wrongCall : { usp_p: 'A'.repeat(43) }
  const create = (ask: Ask = {}) => binding.call('usp_bookings_create', {}, { key, claims: { nonce: nonce() }, ...ask })

  async function credentialThatIs(wrong: Wrong['credential']) {
    if (wrong === 'expired') lifetime.next = -1000
    const created = await create()
    lifetime.next = 3_600_000
    const subject = wrong === 'of another resource' ? await create() : created
    const value = wrong === 'unknown' ? `bsc_${'A'.repeat(43)}` : created.credential.value
    return { id: subject.thing.id, credential: value }
  }

  async function present({ credential: fault, proof, ...wrong }: Wrong) {
    const { id, credential } = await credentialThatIs(fault)
    if (proof === 'missing') return binding.call(GET, { booking_id: id }, { credential })
    const signer = wrong.key ? foreign : key
    const made = binding.proof(
      GET,
      { booking_id: id },
      {
        key: signer,
        credential,
        header: { ...(wrong.typ && { typ: 'JWT' }), ...(wrong.alg && { alg: 'HS256' }) },
        claims: {
          ...(wrong.nonce !== 'missing' && { nonce: wrong.nonce === 'foreign' ? 'abc.def' : nonce() }),
          ...wrong.claims,
        },
      },
    )
    const broken = wrong.signature ? made.replace(/[^.]*$/, 'A'.repeat(86)) : made
    return binding.call(GET, { booking_id: id }, { credential, proof: proof === 'garbage' ? 'a.b.c' : broken })
  }

  test('[POP-008] [POP-009] [POP-010] a credential with a faultless proof is served, nothing else is asked for', async () =>
    expectServed(binding, await present({})))

  test.each<[string, Wrong, Parameters<typeof expectRefused>[2]]>([
    ['[POP-049] step 1: an unknown credential', { credential: 'unknown' }, 'authentication_required'],
    ['[POP-050] step 1: an expired credential', { credential: 'expired' }, 'authentication_required'],
    ['[POP-051] [ERR-053] step 2: no proof', missing, 'pop_proof_missing'],
    ['[POP-052] step 3: another resource', { credential: 'of another resource' }, 'authentication_required'],
    ['[POP-053] step 4: garbage for a proof', { proof: 'garbage' }, 'pop_proof_invalid'],
    ['[POP-053] step 4: a wrong typ', { typ: true }, 'pop_proof_invalid'],
    ['[POP-043] step 5: a wrong alg', { alg: true }, 'pop_proof_invalid'],
    ['[POP-055] [ERR-055] step 6: another key', { key: true }, 'pop_key_mismatch'],
    ['[POP-056] step 7: a broken signature', { signature: true }, 'pop_proof_invalid'],
    ['[POP-057] [POP-059] step 8: another audience', { claims: wrongAudience }, 'pop_proof_invalid'],
    ['[POP-058] [POP-060] [POP-062] step 8 and 9: another call', { claims: wrongPayload }, 'pop_proof_invalid'],
    ['[POP-037] step 10: no ath', { claims: { ath: undefined } }, 'pop_proof_invalid'],
    ['[POP-063] step 10: a wrong ath', { claims: { ath: 'A'.repeat(43) } }, 'pop_proof_invalid'],
    ['[POP-063] step 10: an ath that is no text', { claims: { ath: 17 } }, 'pop_proof_invalid'],
    ['[POP-064] step 11: a stale iat', { claims: stale }, 'pop_proof_invalid'],
    ['[POP-088] step 11: no nonce', { nonce: 'missing' }, 'proof_nonce_required'],
    ['[POP-067] 1 before 2: unknown, no proof', { credential: 'unknown', ...missing }, 'authentication_required'],
    ['[POP-067] 1 before 2: expired, no proof', { credential: 'expired', ...missing }, 'authentication_required'],
    [
      '[POP-068] 2 before 3: another resource, no proof',
      { credential: 'of another resource', ...missing },
      'pop_proof_missing',
    ],
    ['[POP-069] 3 before 4', { credential: 'of another resource', proof: 'garbage' }, 'authentication_required'],
    ['[POP-070] 4 before 6: wrong typ, another key', { typ: true, key: true }, 'pop_proof_invalid'],
    ['[POP-070] 5 before 6: wrong alg, another key', { alg: true, key: true }, 'pop_proof_invalid'],
    ['[POP-071] 6 before 7: another key, broken signature', { key: true, signature: true }, 'pop_key_mismatch'],
    ['[POP-072] 6 before 8: another key and audience', { key: true, claims: wrongAudience }, 'pop_key_mismatch'],
    ['[POP-072] 6 before 9: another key and payload', { key: true, claims: wrongPayload }, 'pop_key_mismatch'],
    ['[POP-072] 6 before 10: another key and ath', { key: true, claims: { ath: 'A' } }, 'pop_key_mismatch'],
    ['[POP-073] 10 before 11: wrong ath, no nonce', { claims: { ath: 'A' }, nonce: 'missing' }, 'pop_proof_invalid'],
  ])('%s: %o gives %s', async (_, wrong, code) => expectRefused(binding, await present(wrong), code))

  test('[POP-074] 11 before 12: a seen jti with a stale iat is invalid, one without the nonce is asked for it', async () => {
    const { id, credential } = await credentialThatIs(undefined)
    const claims = { jti: `seen ${id}`, nonce: nonce() }
    const get = (changes: object) =>
      binding.call(GET, { booking_id: id }, { key, credential, claims: { ...claims, ...changes } })
    expectServed(binding, await get({}))
    expectRefused(binding, await get(stale), 'pop_proof_invalid')
    expectRefused(binding, await get({ nonce: undefined }), 'proof_nonce_required')
    expectRefused(binding, await get({}), 'pop_proof_replayed')
  })

  test('[POP-075] the end of the resource is judged last: a replay is told as one, a fresh proof to authenticate', async () => {
    const { id, credential } = await credentialThatIs(undefined)
    const cancel = {
      credential,
      proof: binding.proof('usp_bookings_cancel', { booking_id: id }, { key, credential, claims: { nonce: nonce() } }),
    }
    expectServed(binding, await binding.call('usp_bookings_cancel', { booking_id: id }, cancel))
    expectRefused(binding, await binding.call('usp_bookings_cancel', { booking_id: id }, cancel), 'pop_proof_replayed')
    const fresh = { key, credential, claims: { nonce: nonce() } }
    expectRefused(
      binding,
      await binding.call('usp_bookings_cancel', { booking_id: id }, fresh),
      'authentication_required',
    )
  })

  test.each<[string, object, Parameters<typeof expectRefused>[2]]>([
    ['[POP-076] a wrong typ', { header: { typ: 'JWT' } }, 'pop_proof_invalid'],
    ['[POP-076] another key', { key: foreign }, 'pop_key_mismatch'],
    ['[POP-076] another call', { claims: wrongPayload }, 'pop_proof_invalid'],
    ['[POP-076] a wrong ath', { claims: { ath: 'A' } }, 'pop_proof_invalid'],
    ['[POP-076] a stale iat', { claims: stale }, 'pop_proof_invalid'],
    ['[POP-076] no nonce', { claims: { nonce: undefined } }, 'proof_nonce_required'],
  ])('%s does not use up the jti', async (_, { claims, ...wrong }: Ask, code) => {
    const { id, credential } = await credentialThatIs(undefined)
    const good = { jti: `jti ${id}`, nonce: nonce() }
    const refused = { key, credential, ...wrong, claims: { ...good, ...claims } }
    expectRefused(binding, await binding.call(GET, { booking_id: id }, refused), code)
    const accepted = { key, credential, claims: good }
    expectServed(binding, await binding.call(GET, { booking_id: id }, accepted))
    expectRefused(binding, await binding.call(GET, { booking_id: id }, accepted), 'pop_proof_replayed')
  })
})
