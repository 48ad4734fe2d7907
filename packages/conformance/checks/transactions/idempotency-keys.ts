import { randomUUID } from 'node:crypto'
import type { Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList } from '../../run/expectations.ts'
import { sharedService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  askForHold,
  askToBook,
  bookingOf,
  expectOffered,
  expectUnchanged,
  hasSpots,
  newKey,
  PAYMENT,
} from './slots-and-bookings.ts'
import { askToJoin, join } from './waitlist-steps.ts'

const needs = ['services.bookings']

/** Requires that a second call with the same idempotency key, but different input, gets a conflict. */
async function expectConflict(c: CheckContext, name: OperationName, first: Members, second: Members): Promise<void> {
  const options = newKey()
  ;(await c.caller.call(name, first, options)).success()
  ;(await c.caller.call(name, second, options)).failsWith('idempotency_conflict')
}

export const idempotencyKeyChecks = [
  check(
    'BKG-047 IDM-007 LIV-012',
    'An idempotency key cannot be used again for a booking with different content',
    async (c) => {
      const options = newKey()
      const slot = await c.slot(c.simpleService)
      const other = await c.slot(c.simpleService)
      const input = { buyer: c.buyer() }
      const booking = bookingOf(await askToBook(c, slot, { input, options }))
      ;(await askToBook(c, slot, { input: { ...input, notes: 'Other' }, options })).failsWith('idempotency_conflict')
      ;(await askToBook(c, other, { input, options })).failsWith('idempotency_conflict')
      await expectUnchanged(c, booking)
      await expectOffered(c, other, true)
    },
    { needs },
  ),
  check(
    'BKG-048 IDM-008',
    'The idempotency key of a booking cannot be used to cancel it, move it or confirm its payment',
    async (c) => {
      const options = newKey()
      const booking = bookingOf(await askToBook(c, await c.slot(c.simpleService), { options }))
      const { id: slot_id } = await c.slot(c.simpleService)
      const booking_id = booking.id
      const calls = [
        ['cancelBooking', { booking_id }],
        ['reschedule', { booking_id, slot_id }],
        ['confirmPayment', { booking_id, payment_result: PAYMENT }],
      ] as const
      for (const [name, input] of calls) (await c.caller.call(name, input, options)).failsWith('idempotency_conflict')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'IDM-009',
    'The idempotency key of one cancellation cannot be used to cancel another booking',
    async (c) => {
      const [first, second] = [(await c.book()).booking, (await c.book()).booking]
      await expectConflict(c, 'cancelBooking', { booking_id: first.id }, { booking_id: second.id })
      await expectUnchanged(c, second)
    },
    { needs },
  ),
  check(
    'BKG-049 IDM-010',
    'Two platforms that use the same idempotency key get separate bookings',
    async (c) => {
      const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
      const request = { input: { buyer: c.buyer() }, options: newKey() }
      const first = bookingOf(await askToBook(c, slot, request))
      const second = bookingOf(await askToBook(c, slot, { ...request, caller: c.newPlatform().caller }))
      expectEqual(first.id === second.id, false, 'the equality of the two booking ids')
    },
    { needs },
  ),
  check(
    'BKG-050 IDM-011',
    'A repeated request can have its members in another order',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const options = newKey()
      const buyer = c.buyer()
      const first = bookingOf(await askToBook(c, slot, { input: { notes: 'Once', buyer }, options }))
      const { first_name, last_name, email } = buyer
      const reordered = { email, last_name, first_name }
      const input = { notes: 'Once', buyer: reordered, slot_id: slot.id, service_id: slot.service_id }
      expectEqual(bookingOf(await c.caller.call('book', input, options)).id, first.id, 'id of the booking')
    },
    { needs },
  ),
  check(
    'IDM-011 IDM-012',
    'A repeated request can have other whitespace and other headers',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const input = c.bookingOf(slot)
      const options = newKey()
      const first = await c.caller.call('book', input, options)
      c.cancelAfterwards(bookingOf(first))
      const headers = {
        'usp-agent': `profile="${c.platform.hosted.profile}";note="again"`,
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      }
      const second = await c.caller.call('book', input, { ...options, headers, body: JSON.stringify(input, null, 2) })
      expectEqual(second.text, first.text, 'the second answer')
    },
    { needs, only: 'rest' },
  ),
  check(
    'BKG-052 IDM-017',
    'The idempotency key of a refused faulty request can be used for the corrected request',
    async (c) => {
      const options = newKey()
      const slot = await c.slot(c.simpleService)
      const request = c.bookingOf(slot)
      const { buyer, ...incomplete } = request
      const ask = (input: Members, caller = c.caller) => caller.call('book', input, options)
      ;(await ask(incomplete)).failsWith('invalid_request')
      ;(await ask({ ...request, party_size: 0 })).failsWith('validation_error')
      const unproven = c.callerFor(c.platform.hosted, 'none')
      ;(await ask(request, unproven)).failsWith('authentication_required')
      bookingOf(await askToBook(c, slot, { options }))
    },
    { needs },
  ),
  check(
    'IDM-028',
    'The header Idempotency-Key has no effect on an availability query',
    async (c) => {
      const options = { headers: { 'idempotency-key': randomUUID() } }
      const slot = await c.slot(c.simpleService)
      const query = { service_id: slot.service_id, start_date: slot.start, end_date: slot.end }
      const ids = async () => {
        const { slots } = (await c.caller.call('queryAvailability', query, options)).success()
        return expectList(slots, 'slots').map(({ id }) => id)
      }
      expectEqual((await ids()).includes(slot.id), true, 'the offer of the slot before the booking')
      bookingOf(await askToBook(c, slot))
      expectEqual((await ids()).includes(slot.id), false, 'the offer of the slot after the booking')
    },
    { needs, only: 'rest' },
  ),
  check(
    'IDM-001 IDM-002',
    'The idempotency key of an update, payment, release or waitlist call cannot be used with different content',
    async (c) => {
      const { booking } = await c.book()
      const { hold } = await c.hold()
      const { hold: other } = await c.hold()
      const booking_id = booking.id
      await expectConflict(c, 'updateBooking', { booking_id, notes: 'A' }, { booking_id, notes: 'B' })
      const paid = (transaction_id: string) => ({ booking_id, payment_result: { ...PAYMENT, transaction_id } })
      await expectConflict(c, 'confirmPayment', paid('txn_1'), paid('txn_2'))
      await expectConflict(c, 'release', { hold_id: hold.id }, { hold_id: other.id })
      if (!c.target.capability('services.waitlist')) return
      const options = newKey()
      const { entry: joined } = await join(c, { options })
      ;(await askToJoin(c, { options })).failsWith('idempotency_conflict')
      const { entry: another } = await join(c)
      await expectConflict(c, 'leaveWaitlist', { entry_id: joined.id }, { entry_id: another.id })
    },
    { needs: [...needs, 'services.availability'] },
  ),
  check(
    'IDM-030',
    'The server accepts an idempotency key that is not a UUID',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const options = { idempotencyKey: `order-${randomUUID().slice(0, 6)}` }
      const request = { input: { buyer: c.buyer() }, options }
      const first = bookingOf(await askToBook(c, slot, request))
      expectEqual(bookingOf(await askToBook(c, slot, request)).id, first.id, 'id of the booking')
    },
    { needs },
  ),
  check(
    'IDM-031',
    'The server refuses an idempotency key that is empty, very long, or contains a control character',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(c.simpleService)
      for (const key of ['', 'k'.repeat(256), 'order\t17']) {
        const options = { idempotencyKey: null, headers: { 'idempotency-key': key }, meta: { idempotency_key: key } }
        const answer = await askForHold(c, slot, { options })
        answer.failsWith('invalid_request')
      }
    },
    { needs: [...needs, 'services.availability'] },
  ),
]
