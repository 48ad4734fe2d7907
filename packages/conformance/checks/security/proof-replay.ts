import type { CallOptions } from '../../caller/caller.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { bookWithCredential, expectBooking } from './booked.ts'
import { credentialCheck, proofCheck } from './mechanism-check.ts'
import { expectAccepted, expectRefused, newKeyCaller, probe, secondsNow } from './probe.ts'

const AT_ONCE = 20

export const proofReplayChecks = [
  proofCheck('POP-066', 'A proof is valid once, and the next one with another jti is valid again', async (c) => {
    const { caller } = newKeyCaller(c)
    const once = sameProof()
    expectAccepted(await probe(caller, once))
    expectRefused(await probe(caller, once), 'pop_proof_replayed')
    expectRefused(
      await probe(caller, { proof: { claims: { ...once.proof.claims, iat: secondsNow() - 1 } } }),
      'pop_proof_replayed',
    )
    expectAccepted(await probe(caller, sameProof()))
  }),
  credentialCheck('POP-082', 'A read that is sent again with the same proof is refused', async (c) => {
    const { id, credential } = await bookWithCredential(c)
    const options = { credential, ...sameRequest() }
    expectBooking(await c.caller.call('getBooking', { booking_id: id }, options), id)
    expectRefused(await c.caller.call('getBooking', { booking_id: id }, options), 'pop_proof_replayed')
  }),
  proofCheck('POP-084', 'A proof stays used if the operation fails', async ({ sharedPlatform: { caller } }) => {
    const options = { ...sameRequest(), idempotencyKey: null }
    const hold = { service_id: 'svc_conformance_unknown', slot_id: 'slot_conformance_unknown' }
    const first = await caller.call('hold', hold, options)
    expectTrue(
      first.error !== undefined || first.refusal !== undefined,
      'a refusal of an unknown service',
      first.result,
    )
    expectTrue(first.error?.number !== 401 && first.error?.number !== -32001, 'an accepted proof', first.error?.code)
    expectRefused(await caller.call('hold', hold, options), 'pop_proof_replayed')
  }),
  proofCheck(
    'POP-085',
    'Of many simultaneous requests with one proof, exactly one passes',
    async ({ sharedPlatform: { caller } }) => {
      const once = sameProof()
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => probe(caller, once)))
      const codes = answers.map(({ error }) => error?.code)
      expectEqual(codes.filter((code) => code === 'booking_not_found').length, 1, 'the number of accepted requests')
      expectEqual(codes.filter((code) => code === 'pop_proof_replayed').length, AT_ONCE - 1, 'the number of replays')
    },
  ),
  proofCheck(
    'POP-087',
    'A retry with a fresh proof gets the stored answer, and one with the old proof is refused',
    async (c) => {
      const service = c.simpleService
      const slot = await c.slot(service)
      const input = { service_id: service.id, slot_id: slot.id, buyer: c.buyer() }
      const idempotencyKey = `conformance-${slot.id}-${Date.now()}`
      const options = { ...sameRequest(), idempotencyKey }
      const booking = expectMembers((await c.caller.call('book', input, options)).success().booking, 'booking')
      c.cancelAfterwards(booking)
      expectRefused(await c.caller.call('book', input, options), 'pop_proof_replayed')
      const again = (await c.caller.call('book', input, { idempotencyKey })).success()
      expectEqual(expectMembers(again.booking, 'booking').id, booking.id, 'the id of the booking')
    },
  ),
  credentialCheck(
    'POP-075 BSC-027',
    'A replayed proof on a canceled booking is a replay, and a fresh one is refused',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const options = { credential, ...sameRequest() }
      expectBooking(await c.caller.call('cancelBooking', { booking_id: id }, options), id)
      expectRefused(await c.caller.call('cancelBooking', { booking_id: id }, options), 'pop_proof_replayed')
      const fresh = await c.caller.call('getBooking', { booking_id: id }, { credential })
      expectRefused(fresh, 'authentication_required')
      expectEqual(
        expectBooking(await c.caller.call('getBooking', { booking_id: id }), id).status,
        'canceled',
        'the status that the owner reads',
      )
    },
  ),
  proofCheck(
    'POP-074',
    'A seen jti with a stale time is invalid, and without a demanded nonce lacks the nonce',
    async (c) => {
      const { caller } = newKeyCaller(c)
      const demandsNonces = (await probe(caller, { proof: { nonce: '' } })).error?.code === 'proof_nonce_required'
      const once = sameProof()
      expectAccepted(await probe(caller, once))
      const stale = { claims: { ...once.proof.claims, iat: secondsNow() - 3600 } }
      expectRefused(await probe(caller, { proof: stale }), 'pop_proof_invalid')
      const withoutNonce = await probe(caller, { proof: { ...once.proof, nonce: '' } })
      expectRefused(withoutNonce, demandsNonces ? 'proof_nonce_required' : 'pop_proof_replayed')
    },
  ),
]

/** Options that make proofs with the same jti. */
function sameProof() {
  return { proof: { claims: { jti: `jti-${Math.random()}` } } }
}

/** An option that sends the first request again, byte for byte. */
function sameRequest(): Pick<CallOptions, 'change'> {
  let first: Parameters<NonNullable<CallOptions['change']>>[0] | undefined
  return {
    change: (request) => {
      first ??= request
      return first
    },
  }
}
