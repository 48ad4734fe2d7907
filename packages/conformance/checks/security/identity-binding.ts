import { randomUUID } from 'node:crypto'
import { KeyPair } from '../../caller/key-pair.ts'
import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { expectBooking } from './booked.ts'
import { proofAndSignatureCheck, proofCheck } from './mechanism-check.ts'
import { expectAccepted, expectRefused, newKeyCaller, probe } from './probe.ts'

const signed = { authentication: 'signature' } as const
const NOT_FOUND = { rest: 404, mcp: -32602 }

export const identityBindingChecks = [
  proofCheck('AUT-046 AUT-047', 'A key that named one profile is refused under another', async (c) => {
    const { key, caller } = newKeyCaller(c)
    expectAccepted(await probe(caller))
    const elsewhere = c.callerFor({ profile: c.platform.hosted.profile, key })
    const slot = await c.slot(c.simpleService)
    const input = { service_id: c.simpleService.id, slot_id: slot.id, buyer: c.buyer() }
    expectRefused(await elsewhere.call('book', input), 'authentication_required')
    const { booking } = (await caller.call('book', input)).success()
    c.cancelAfterwards(expectMembers(booking, 'booking'), caller)
  }),
  proofCheck(
    'AUT-052',
    'A key that named a profile on one binding is refused under another on each binding',
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
    'Two keys under one profile are both served, and see nothing of each other',
    async (c) => {
      const [first, second] = [newKeyCaller(c), newKeyCaller(c)]
      const idempotencyKey = randomUUID()
      const ids: unknown[] = []
      for (const { caller } of [first, second]) {
        const slot = await c.slot(c.simpleService)
        const input = { service_id: c.simpleService.id, slot_id: slot.id, buyer: c.buyer() }
        const booking = expectMembers(
          (await caller.call('book', input, { idempotencyKey })).success().booking,
          'booking',
        )
        c.cancelAfterwards(booking, caller)
        ids.push(booking.id)
      }
      const [ofFirst, ofSecond] = ids
      for (const [{ caller }, id] of [
        [first, ofSecond],
        [second, ofFirst],
      ] as const)
        (await caller.call('getBooking', { booking_id: id })).failsWith('booking_not_found', NOT_FOUND)
    },
  ),
  proofCheck('AUT-050', 'The name of a profile without its key gives nothing of that platform', async (c) => {
    const { booking } = await c.book()
    const { profile } = c.platform.hosted
    const stranger = c.callerFor({ profile, key: new KeyPair() })
    const input = { booking_id: booking.id }
    expectRefused(await stranger.call('getBooking', input, { authentication: 'none' }), 'authentication_required')
    ;(await stranger.call('getBooking', input)).failsWith('booking_not_found', NOT_FOUND)
  }),
  proofCheck('AUT-051', 'A refused call and a public one bind no key to a profile', async (c) => {
    const { key, caller } = newKeyCaller(c)
    const elsewhere = c.callerFor({ profile: c.platform.hosted.profile, key })
    expectRefused(await probe(elsewhere, { proof: { claims: { iat: 1 } } }), 'pop_proof_invalid')
    ;(await elsewhere.call('listServices', {}, { authentication: 'proof' })).success()
    expectAccepted(await probe(caller))
  }),
  proofAndSignatureCheck('AUT-055', 'One key is one caller, whether it signs or makes proofs', async (c) => {
    const { booking } = await c.book()
    const input = { booking_id: booking.id }
    expectBooking(await c.caller.call('getBooking', input, signed), String(booking.id))
    const { caller } = c.newPlatform('signature')
    const { booking: other } = await c.book(c.simpleService, { caller })
    const byProof = await caller.call('getBooking', { booking_id: other.id }, { authentication: 'proof' })
    expectBooking(byProof, String(other.id))
  }),
  proofAndSignatureCheck(
    'AUT-056 AUT-057',
    'The published keys of a profile share their bookings, and no others do',
    async (c) => {
      const { hosted } = c.platform
      const [second, unpublished] = [new KeyPair(), new KeyPair()]
      hosted.document.keys = [hosted.key.published, second.published]
      const { profile } = hosted
      const { booking } = await c.book()
      const bySecond = c.callerFor({ profile, key: second }, 'signature')
      expectBooking(await bySecond.call('getBooking', { booking_id: booking.id }), String(booking.id))
      const stranger = c.callerFor({ profile, key: unpublished })
      ;(await stranger.call('getBooking', { booking_id: booking.id })).failsWith('booking_not_found', NOT_FOUND)
      const { booking: own } = await c.book(c.simpleService, { caller: stranger })
      ;(await c.caller.call('getBooking', { booking_id: own.id })).failsWith('booking_not_found', NOT_FOUND)
    },
    { newPlatform: true },
  ),
  proofAndSignatureCheck('AUT-037', 'Each mechanism without registration authenticates a creation', async (c) => {
    for (const authentication of ['proof', 'signature'] as const) {
      const { caller } = c.newPlatform(authentication)
      const { booking } = await c.book(c.simpleService, { caller })
      expectEqual(typeof booking.id, 'string', 'the type of the id of the booking')
    }
  }),
]
