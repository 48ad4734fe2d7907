import { randomUUID } from 'node:crypto'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { bookingOf } from '../transactions/slots-and-bookings.ts'
import { bookWithCredential, expectBooking } from './booked.ts'
import { credentialCheck, proofCheck } from './mechanism-check.ts'
import { expectAccepted, expectRefused, newKeyCaller, probe, secondsNow } from './probe.ts'
import { sameRequest } from './request-changes.ts'

const AT_ONCE = 20

export const proofReplayChecks = [
  proofCheck('POP-066', 'A proof is valid once, and a new proof with another jti is valid again', async (c) => {
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
  credentialCheck('POP-082', 'The server refuses a second read with the same proof', async (c) => {
    const { id, credential } = await bookWithCredential(c)
    const options = { credential, change: sameRequest() }
    expectBooking(await c.caller.call('getBooking', { booking_id: id }, options), id)
    expectRefused(await c.caller.call('getBooking', { booking_id: id }, options), 'pop_proof_replayed')
  }),
  proofCheck(
    'POP-084',
    'The server refuses a used proof even if its first operation failed',
    async ({ sharedPlatform: { caller } }) => {
      const options = { change: sameRequest(), idempotencyKey: null }
      const hold = { service_id: 'svc_conformance_unknown', slot_id: 'slot_conformance_unknown' }
      const first = await caller.call('hold', hold, options)
      expectTrue(
        first.error !== undefined || first.refusal !== undefined,
        'a refusal of the unknown service',
        first.result,
      )
      expectTrue(first.error?.number !== 401 && first.error?.number !== -32001, 'an accepted proof', first.error?.code)
      expectRefused(await caller.call('hold', hold, options), 'pop_proof_replayed')
    },
  ),
  proofCheck(
    'POP-085',
    'Of many simultaneous requests with the same proof, the server accepts exactly one',
    async ({ sharedPlatform: { caller } }) => {
      const once = sameProof()
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => probe(caller, once)))
      const codes = answers.map(({ error }) => error?.code)
      expectEqual(codes.filter((code) => code === 'booking_not_found').length, 1, 'the number of accepted requests')
      expectEqual(
        codes.filter((code) => code === 'pop_proof_replayed').length,
        AT_ONCE - 1,
        'the number of refused replays',
      )
    },
  ),
  proofCheck(
    'POP-087',
    'A retry with a new proof gets the stored answer, and a retry with the old proof gets a refusal',
    async (c) => {
      const input = c.bookingOf(await c.slot(c.simpleService))
      const idempotencyKey = randomUUID()
      const options = { change: sameRequest(), idempotencyKey }
      const booking = bookingOf(await c.caller.call('book', input, options))
      c.cancelAfterwards(booking)
      expectRefused(await c.caller.call('book', input, options), 'pop_proof_replayed')
      expectBooking(await c.caller.call('book', input, { idempotencyKey }), String(booking.id))
    },
  ),
  credentialCheck(
    'POP-075 BSC-027',
    'For a canceled booking, an old proof gets pop_proof_replayed, and a new proof gets a refusal',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const options = { credential, change: sameRequest() }
      expectBooking(await c.caller.call('cancelBooking', { booking_id: id }, options), id)
      expectRefused(await c.caller.call('cancelBooking', { booking_id: id }, options), 'pop_proof_replayed')
      const fresh = await c.caller.call('getBooking', { booking_id: id }, { credential })
      expectRefused(fresh, 'authentication_required')
      expectEqual(
        expectBooking(await c.caller.call('getBooking', { booking_id: id }), id).status,
        'canceled',
        'the status of the booking for its owner',
      )
    },
  ),
  proofCheck('POP-074', 'The server checks the time and the nonce of a proof before its jti', async (c) => {
    const { caller } = newKeyCaller(c)
    const demandsNonces = (await probe(caller, { proof: { nonce: '' } })).error?.code === 'proof_nonce_required'
    const once = sameProof()
    expectAccepted(await probe(caller, once))
    const stale = { claims: { ...once.proof.claims, iat: secondsNow() - 3600 } }
    expectRefused(await probe(caller, { proof: stale }), 'pop_proof_invalid')
    const withoutNonce = await probe(caller, { proof: { ...once.proof, nonce: '' } })
    expectRefused(withoutNonce, demandsNonces ? 'proof_nonce_required' : 'pop_proof_replayed')
  }),
]

/** Returns call options whose proofs all have the same id (`jti`). */
function sameProof() {
  return { proof: { claims: { jti: randomUUID() } } }
}
