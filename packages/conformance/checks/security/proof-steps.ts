import type { Binding, CallOptions } from '../../caller/caller.ts'
import type { KeyPair } from '../../caller/key-pair.ts'
import type { ProofContents } from '../../caller/possession-proof.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { bookWithCredential, expectBooking } from './booked.ts'
import { credentialCheck } from './mechanism-check.ts'
import { expectRefused, probe, secondsNow } from './probe.ts'
import { flipFirstSignatureByte } from './proof-key.ts'

/** One fault in a call with the credential of a booking, and the expected error code. */
interface Fault {
  rules: string
  title: string
  code: string
  proof?: ProofContents | ((binding: Binding) => ProofContents)
  /** True: the proof is by another key than the key of the credential. */
  byAnotherKey?: true
  onAnotherBooking?: true
  withoutProof?: true
}

const otherCall = (binding: Binding) => ({
  claims: binding === 'rest' ? { htm: 'PUT' } : { usp_m: 'usp_bookings_cancel' },
})
const otherAddress = (binding: Binding) => ({
  claims: binding === 'rest' ? { htu: 'https://other.example/' } : { aud: 'https://other.example/.well-known/usp' },
})
const garbage = { change: () => 'a.b.c' }
const brokenSignature = { change: flipFirstSignatureByte }

const faults: Fault[] = [
  { rules: 'POP-051 POP-099', title: 'no proof', code: 'pop_proof_missing', withoutProof: true },
  { rules: 'POP-052', title: 'the id of another booking', code: 'authentication_required', onAnotherBooking: true },
  { rules: 'POP-053', title: 'a proof that cannot be parsed', code: 'pop_proof_invalid', proof: garbage },
  {
    rules: 'POP-054',
    title: 'a proof with the alg none',
    code: 'pop_proof_invalid',
    proof: { header: { alg: 'none' } },
  },
  { rules: 'POP-055 POP-098', title: 'a proof by another key', code: 'pop_key_mismatch', byAnotherKey: true },
  { rules: 'POP-056', title: 'a broken signature', code: 'pop_proof_invalid', proof: brokenSignature },
  { rules: 'POP-037', title: 'a proof without ath', code: 'pop_proof_invalid', proof: { claims: { ath: undefined } } },
  {
    rules: 'POP-063',
    title: 'a proof with the ath of another credential',
    code: 'pop_proof_invalid',
    proof: { claims: { ath: 'A'.repeat(43) } },
  },
  {
    rules: 'POP-068',
    title: 'the id of another booking, but no proof,',
    code: 'pop_proof_missing',
    onAnotherBooking: true,
    withoutProof: true,
  },
  {
    rules: 'POP-069',
    title: 'an unreadable proof for another booking',
    code: 'authentication_required',
    onAnotherBooking: true,
    proof: garbage,
  },
  {
    rules: 'POP-070',
    title: 'a proof with a wrong typ by another key',
    code: 'pop_proof_invalid',
    byAnotherKey: true,
    proof: { header: { typ: 'JWT' } },
  },
  {
    rules: 'POP-070',
    title: 'a proof with a wrong alg by another key',
    code: 'pop_proof_invalid',
    byAnotherKey: true,
    proof: { header: { alg: 'HS256' } },
  },
  {
    rules: 'POP-071',
    title: 'a broken signature by another key',
    code: 'pop_key_mismatch',
    byAnotherKey: true,
    proof: brokenSignature,
  },
  {
    rules: 'POP-072',
    title: 'a proof for another address by another key',
    code: 'pop_key_mismatch',
    byAnotherKey: true,
    proof: otherAddress,
  },
  {
    rules: 'POP-072',
    title: 'a proof for another call by another key',
    code: 'pop_key_mismatch',
    byAnotherKey: true,
    proof: otherCall,
  },
  {
    rules: 'POP-072',
    title: 'a wrong ath by another key',
    code: 'pop_key_mismatch',
    byAnotherKey: true,
    proof: { claims: { ath: 'A' } },
  },
]

export const proofStepChecks = [
  ...faults.map((fault) =>
    credentialCheck(fault.rules, `A call with a credential and ${fault.title} gets ${fault.code}`, async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const subject = fault.onAnotherBooking ? (await bookWithCredential(c)).id : id
      expectRefused(await read(c, subject, optionsOf(fault, c, credential)), fault.code)
    }),
  ),
  credentialCheck('POP-052', 'A credential gives no access to a booking that does not exist', async (c) => {
    const { credential } = await bookWithCredential(c)
    expectRefused(await probe(c.caller, { credential }), 'authentication_required')
  }),
  credentialCheck(
    'POP-076',
    'The jti of a refused proof is still valid in a correct proof',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const good = { jti: `jti-${id}` }
      const refused: [string, ProofContents, KeyPair?][] = [
        ['pop_proof_invalid', { header: { typ: 'JWT' }, claims: good }],
        ['pop_key_mismatch', { claims: good }, c.newKey()],
        ['pop_proof_invalid', { claims: { ...good, ...otherCall(c.binding).claims } }],
        ['pop_proof_invalid', { claims: { ...good, ath: 'A' } }],
        ['pop_proof_invalid', { claims: { ...good, iat: secondsNow() - 3600 } }],
      ]
      for (const [code, proof, key] of refused)
        expectRefused(await read(c, id, { credential, proof, ...(key && { key }) }), code)
      expectBooking(await read(c, id, { credential, proof: { claims: good } }), id)
      expectRefused(await read(c, id, { credential, proof: { claims: good } }), 'pop_proof_replayed')
    },
    // After an answer 429, the suite would send the jti again. A new platform has not reached the limit.
    { newPlatform: true },
  ),
]

type ReadOptions = CallOptions & { key?: KeyPair }

function read(c: CheckContext, booking_id: string, { key, ...options }: ReadOptions) {
  const { profile } = c.platform.hosted
  const caller = key ? c.callerFor({ profile, key }) : c.caller
  return caller.call('getBooking', { booking_id }, options)
}

function optionsOf({ proof, byAnotherKey, withoutProof }: Fault, c: CheckContext, credential: string): ReadOptions {
  const contents = typeof proof === 'function' ? proof(c.binding) : proof
  return {
    credential,
    ...(contents && { proof: contents }),
    ...(byAnotherKey && { key: c.newKey() }),
    ...(withoutProof && { authentication: 'none' }),
  }
}
