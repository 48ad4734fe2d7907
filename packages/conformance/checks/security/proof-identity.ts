import type { ProofContents } from '../../caller/possession-proof.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { askToBook, bookingOf } from '../transactions/slots-and-bookings.ts'
import { join } from '../transactions/waitlist-steps.ts'
import { bookWithCredential, expectBooking, issuedCredential } from './booked.ts'
import { credentialCheck, proofCheck } from './mechanism-check.ts'
import { expectAccepted, expectBookingNotFound, expectRefused, newKeyCaller, probe, secondsNow } from './probe.ts'
import { callsAboutBooking, expectAuthorized } from './scoped-calls.ts'

export const proofIdentityChecks = [
  proofCheck(
    'POP-001 POP-002 SIG-045',
    'A platform can hold a slot with only a proof',
    async (c) => {
      await c.hold()
    },
    { needs: ['services.availability'] },
  ),
  proofCheck('POP-001 POP-002 SIG-045', 'A platform can book a slot with only a proof', async (c) => {
    await c.book()
  }),
  proofCheck(
    'POP-001 POP-002 POP-003',
    'A platform can join a waitlist and list its entries with only a proof',
    async (c) => {
      const { entry } = await join(c)
      const { entries } = (await c.caller.call('listWaitlist')).success()
      expectTrue(
        Array.isArray(entries) && entries.some(({ id }) => id === entry.id),
        `the entry ${entry.id} in the list`,
        entries,
      )
    },
    { needs: ['services.waitlist'] },
  ),
  proofCheck(
    'POP-006',
    'A new key can book in its first call, even if the platform profile publishes no keys',
    async (c) => {
      const { hosted, caller } = c.newPlatform()
      const { keys: _, ...document } = hosted.document
      hosted.document = document
      await c.book(c.simpleService, { caller })
    },
  ),
  credentialCheck('POP-004 BSC-018', 'The credential is bound to the RFC 7638 thumbprint of the key', async (c) => {
    for (const algorithm of c.algorithmsOf('proof')) {
      const { key, caller } = newKeyCaller(c, algorithm)
      const { result } = await c.book(c.simpleService, { caller })
      expectEqual(issuedCredential(result).cnf, { jkt: key.thumbprint }, 'cnf')
    }
  }),
  proofCheck('POP-005 POP-012', 'The key that created several bookings can read all of them', async (c) => {
    const ids = [(await c.book()).booking.id, (await c.book()).booking.id]
    for (const id of ids)
      for (const binding of c.target.bindings)
        expectBooking(await c.caller.call('getBooking', { booking_id: id }, { binding }), String(id))
  }),
  proofCheck('POP-012 BSC-038', 'The key that created a booking can change it without the credential', async (c) => {
    const { id } = await bookWithCredential(c)
    expectBooking(await c.caller.call('updateBooking', { booking_id: id, buyer: c.buyer() }), id)
    const canceled = expectBooking(await c.caller.call('cancelBooking', { booking_id: id }), id)
    expectEqual(canceled.status, 'canceled', 'status')
  }),
  proofCheck(
    'POP-013 AUT-058 LIV-003',
    'Another key can neither read nor change a booking, even with the same profile',
    async (c) => {
      const { booking } = await c.book()
      const { key } = newKeyCaller(c)
      const other = c.callerFor({ profile: c.platform.hosted.profile, key })
      for (const { name, input } of callsAboutBooking(booking.id)) expectBookingNotFound(await other.call(name, input))
      const read = expectBooking(await c.caller.call('getBooking', { booking_id: booking.id }), String(booking.id))
      expectEqual([read.status, read.buyer], [booking.status, booking.buyer], 'the status and buyer of the booking')
    },
  ),
  proofCheck('POP-046 AUT-050', 'A kid of a published key does not give the rights of this key', async (c) => {
    const { booking } = await c.book()
    const { profile, key: published } = c.platform.hosted
    const { key } = newKeyCaller(c)
    const other = c.callerFor({ profile, key })
    const read = (header: object) =>
      other.call(
        'getBooking',
        { booking_id: booking.id },
        { proof: { header: { kid: published.thumbprint, ...header } } },
      )
    expectAccepted(await read({}))
    expectRefused(await read({ jwk: published.jwk }), 'pop_proof_invalid')
  }),
  proofCheck('POP-047', 'Additional members of a jwk do not change the identity of the key', async (c) => {
    const { booking } = await c.book()
    const { jwk } = c.platform.hosted.key
    for (const more of [{ use: 'sig', kid: 'mine' }, { key_ops: ['verify'] }]) {
      const proof = { header: { jwk: { ...more, ...jwk } } }
      expectBooking(await c.caller.call('getBooking', { booking_id: booking.id }, { proof }), String(booking.id))
    }
  }),
  credentialCheck(
    'POP-008 POP-009 POP-010 BSC-022',
    'A credential with a proof authorizes each call about its booking',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      for (const { name, input } of callsAboutBooking(id))
        expectAuthorized(await c.caller.call(name, input, { credential }))
      const canceled = expectBooking(await c.caller.call('getBooking', { booking_id: id }), id)
      expectEqual([canceled.status, canceled.notes], ['canceled', 'Conformance'], 'the status and notes of the booking')
    },
  ),
  proofCheck(
    'POP-077',
    'The server refuses a booking with a faulty proof with the correct code, and books nothing',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const book = (proof: ProofContents = {}) => askToBook(c, slot, { options: { proof } })
      const faults = [{ header: { typ: 'JWT' } }, { header: { alg: 'none' } }, ...claimsOfSteps(c)]
      for (const proof of faults) expectRefused(await book(proof), 'pop_proof_invalid')
      const proof = { claims: { jti: `jti-${slot.id}` } }
      expectAccepted(await probe(c.caller, { proof }))
      expectRefused(await book(proof), 'pop_proof_replayed')
      bookingOf(await book())
    },
    // The check uses a new platform, which has not reached its rate limit. After an answer 429, the suite would repeat the
    // request, and the server would refuse the repeated `jti`.
    { newPlatform: true },
  ),
]

/** Returns claims that each make a proof invalid in the steps 8, 9 or 11 of its verification. */
function claimsOfSteps({ binding }: CheckContext): { claims: object }[] {
  const wrong =
    binding === 'rest'
      ? [{ htm: 'DELETE' }, { htu: 'https://other.example/usp/v1/bookings' }]
      : [{ aud: 'https://other.example/.well-known/usp' }, { usp_m: 'usp_bookings_cancel' }, { usp_p: 'A'.repeat(43) }]
  return [...wrong, { iat: secondsNow() - 3600 }].map((claims) => ({ claims }))
}
