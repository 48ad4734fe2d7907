import { randomUUID } from 'node:crypto'
import { expectEqual } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { askToBook, bookingOf } from '../transactions/slots-and-bookings.ts'
import { expectBooking } from './booked.ts'
import { proofAndSignatureCheck, proofCheck } from './mechanism-check.ts'
import { expectAccepted, expectBookingNotFound, expectRefused, newKeyCaller, probe, signed } from './probe.ts'

export const identityBindingChecks = [
  proofCheck('AUT-046 AUT-047', 'The server refuses a key that named another profile before', async (c) => {
    const { key, caller } = newKeyCaller(c)
    expectAccepted(await probe(caller))
    const elsewhere = c.callerFor({ profile: c.platform.hosted.profile, key })
    const slot = await c.slot(c.simpleService)
    expectRefused(await askToBook(c, slot, { caller: elsewhere }), 'authentication_required')
    bookingOf(await askToBook(c, slot, { caller }))
  }),
  proofCheck(
    'AUT-052',
    'The server refuses a key that named another profile before, even over the other binding',
    async (c) => {
      if (c.target.bindings.length < 2) throw new Skip('The business has only one binding.')
      const { key, caller } = newKeyCaller(c)
      expectAccepted(await probe(caller))
      const elsewhere = c.callerFor({ profile: c.platform.hosted.profile, key })
      const other = c.binding === 'rest' ? 'mcp' : 'rest'
      expectRefused(await probe(elsewhere, { binding: other }), 'authentication_required')
      expectAccepted(await probe(caller, { binding: other }))
    },
  ),
  proofCheck(
    'AUT-048 AUT-049',
    'The server accepts two keys with the same profile, and shows neither the bookings of the other',
    async (c) => {
      const [first, second] = [newKeyCaller(c), newKeyCaller(c)]
      const idempotencyKey = randomUUID()
      const ids: unknown[] = []
      for (const { caller } of [first, second]) {
        const slot = await c.slot(c.simpleService)
        const booking = bookingOf(await askToBook(c, slot, { caller, options: { idempotencyKey } }))
        ids.push(booking.id)
      }
      const [ofFirst, ofSecond] = ids
      for (const [{ caller }, id] of [
        [first, ofSecond],
        [second, ofFirst],
      ] as const)
        expectBookingNotFound(await caller.call('getBooking', { booking_id: id }))
    },
  ),
  proofCheck(
    'AUT-050',
    'A caller that names a profile, but has another key, gets no access to its bookings',
    async (c) => {
      const { booking } = await c.book()
      const { profile } = c.platform.hosted
      const stranger = c.callerFor({ profile, key: c.newKey() })
      const input = { booking_id: booking.id }
      expectRefused(await stranger.call('getBooking', input, { authentication: 'none' }), 'authentication_required')
      expectBookingNotFound(await stranger.call('getBooking', input))
    },
  ),
  proofCheck('AUT-051', 'Refused calls and public calls bind no key to a profile', async (c) => {
    const { key, caller } = newKeyCaller(c)
    const elsewhere = c.callerFor({ profile: c.platform.hosted.profile, key })
    expectRefused(await probe(elsewhere, { proof: { claims: { iat: 1 } } }), 'pop_proof_invalid')
    ;(await elsewhere.call('listServices', {}, { authentication: 'proof' })).success()
    expectAccepted(await probe(caller))
  }),
  proofAndSignatureCheck('AUT-055', 'A key counts as one caller, both with signatures and with proofs', async (c) => {
    if (c.platform.hosted.signatureKey)
      throw new Skip('The business accepts no algorithm for both proofs and signatures.')
    const { booking } = await c.book()
    const input = { booking_id: booking.id }
    expectBooking(await c.caller.call('getBooking', input, signed()), String(booking.id))
    const { caller } = c.newPlatform('signature')
    const { booking: other } = await c.book(c.simpleService, { caller })
    const byProof = await caller.call('getBooking', { booking_id: other.id }, { authentication: 'proof' })
    expectBooking(byProof, String(other.id))
  }),
  proofAndSignatureCheck(
    'AUT-056 AUT-057',
    'Only the published keys of a profile share their bookings',
    async (c) => {
      const { hosted } = c.platform
      const [second, unpublished] = [c.newKey('signature'), c.newKey()]
      hosted.document.keys = [hosted.key.published, second.published]
      const { profile } = hosted
      const { booking } = await c.book()
      const bySecond = c.callerFor({ profile, key: second }, 'signature')
      expectBooking(await bySecond.call('getBooking', { booking_id: booking.id }), String(booking.id))
      const stranger = c.callerFor({ profile, key: unpublished })
      expectBookingNotFound(await stranger.call('getBooking', { booking_id: booking.id }))
      const { booking: own } = await c.book(c.simpleService, { caller: stranger })
      expectBookingNotFound(await c.caller.call('getBooking', { booking_id: own.id }))
    },
    { newPlatform: true },
  ),
  proofAndSignatureCheck(
    'AUT-037',
    'A platform without a registration can book with a proof or with a signature',
    async (c) => {
      for (const authentication of ['proof', 'signature'] as const) {
        const { caller } = c.newPlatform(authentication)
        const { booking } = await c.book(c.simpleService, { caller })
        expectEqual(typeof booking.id, 'string', 'the type of the booking id')
      }
    },
  ),
]
