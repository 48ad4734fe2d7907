import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import type { Slot } from '../../target/free-slots.ts'
import {
  isConfirmedAtOnce,
  manualService,
  maxReschedules,
  paidService,
  reschedulingOf,
  secondAppointment,
  serviceWithFewReschedules,
} from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  askForHold,
  askToBook,
  askToMove,
  bookForStaff,
  bookingOf,
  cancelBooking,
  expectOffered,
  expectUnchanged,
  holdOf,
  overlappingSlot,
  readBooking,
} from './slots-and-bookings.ts'

const needs = ['services.bookings']

export const bookingRescheduleChecks = [
  check(
    'BKG-104 BKG-105 BKG-106 REV-001 REV-005',
    'A confirmed booking can move to a free slot, and the server offers the old slot again',
    async (c) => {
      const { booking, slot } = await c.book()
      const next = await c.slot(c.simpleService)
      const answer = await askToMove(c, booking, next)
      const moved = bookingOf(answer)
      c.schemas.expectValid('booking#Booking', moved, 'the moved booking')
      for (const shown of [moved, await readBooking(c, booking)]) {
        for (const member of ['id', 'created_at', 'status', 'buyer'])
          expectEqual(shown[member], booking[member], member)
        const { id, start, end } = expectMembers(shown.slot, 'slot')
        expectEqual(id, next.id, 'slot.id')
        expectEqual(expectInstant(start, 'slot.start'), Date.parse(next.start), 'slot.start')
        expectEqual(expectInstant(end, 'slot.end'), Date.parse(next.end), 'slot.end')
        expectTrue(shown.revision !== booking.revision, 'a new revision', shown.revision)
      }
      await expectOffered(c, slot, true)
      await expectOffered(c, next, false)
    },
    { needs },
  ),
  check(
    'BKG-105',
    'After a reschedule, another platform can hold and book the old slot',
    async (c) => {
      c.needsHolds()
      const { booking, slot } = await c.book()
      const next = await c.slot(c.simpleService)
      bookingOf(await askToMove(c, booking, next))
      const { caller } = c.newPlatform()
      const { id: hold_id } = holdOf(await askForHold(c, slot, { caller }))
      bookingOf(await askToBook(c, slot, { caller, input: { hold_id } }))
    },
    { needs: [...needs, 'services.availability'] },
  ),
  check(
    'LIV-067',
    'A rescheduled pending booking stays pending, or the server refuses the reschedule because of the status',
    async (c) => {
      const moved = await moveIfAllowed(c, manualService(c))
      if (moved) expectEqual(moved.status, 'pending', 'status')
    },
    { needs },
  ),
  check(
    'LIV-067',
    'An unpaid booking can be rescheduled, or the server refuses the reschedule because of the status',
    async (c) => {
      await moveIfAllowed(c, paidService(c))
    },
    { needs },
  ),
  check(
    'LIV-066 LIV-016',
    'A canceled booking cannot be rescheduled',
    async (c) => {
      const { booking } = await c.book()
      const canceled = await cancelBooking(c, booking)
      const next = await c.slot(c.simpleService)
      const answer = await askToMove(c, booking, next)
      expectEqual(answer.refusedWith('invalid_transition').severity, 'unrecoverable', 'severity')
      await expectUnchanged(c, canceled)
      await expectOffered(c, next, true)
    },
    { needs },
  ),
  check(
    'BKG-111',
    'The server refuses a reschedule without a slot',
    async (c) => {
      const { booking } = await c.book()
      const answer = await c.caller.call('reschedule', { booking_id: booking.id })
      answer.failsWith('invalid_request')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-112 BKG-043 LIV-077',
    'The server refuses a reschedule to a booked slot, and the booking keeps its slot',
    async (c) => {
      const { booking, slot } = await c.book()
      const other = c.newPlatform().caller
      const { slot: taken } = await c.book(c.simpleService, { caller: other })
      const answer = await askToMove(c, booking, taken)
      answer.refusedWith('slot_unavailable')
      expectEqual('booking' in (answer.result ?? {}), false, 'the presence of a booking in the refusal')
      await expectUnchanged(c, booking)
      ;(await askToBook(c, slot, { caller: other })).refusedWith('slot_unavailable')
    },
    { needs },
  ),
  check(
    'BKG-114',
    'A booking cannot move to a slot of another service',
    async (c) => {
      const { booking } = await c.book()
      const slot = await c.slot(secondAppointment(c))
      ;(await askToMove(c, booking, slot)).refusedWith('slot_unavailable')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-115',
    'A booking can move to a time that overlaps only its own old time',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const next = await overlappingSlot(c, slot, 'resources')
      const booking = bookingOf(await askToBook(c, slot))
      const answer = await askToMove(c, booking, next)
      expectEqual(asMembers(bookingOf(answer).slot)?.id, next.id, 'slot.id')
    },
    { needs },
  ),
  check(
    'BKG-118 BKG-121',
    'A booking can be rescheduled only as often as its terms allow, and refused reschedules do not count',
    async (c) => {
      const service = serviceWithFewReschedules(c)
      const limit = maxReschedules(service)
      const { booking, slot } = await c.book(service)
      const { slot: taken } = await c.book(service, { caller: c.newPlatform().caller })
      const next = await c.slot(service)
      const move = (to: Slot) => askToMove(c, booking, to)
      const targetOf = (count: number) => (count % 2 === 0 ? next : slot)
      for (let count = 0; count < limit; count++) {
        ;(await move(taken)).refusedWith('slot_unavailable')
        bookingOf(await move(targetOf(count)))
      }
      const last = await readBooking(c, booking)
      const refused = await move(targetOf(limit))
      expectEqual(refused.refusedWith('reschedule_limit_reached').severity, 'requires_buyer_review', 'severity')
      await expectUnchanged(c, last)
    },
    { needs },
  ),
  check(
    'BKG-119',
    'If the terms forbid reschedules, the server refuses one, and the booking keeps its slot',
    async (c) => {
      const service = c.service(
        'service whose terms forbid reschedules',
        (one) => reschedulingOf(one).allowed === false && isConfirmedAtOnce(one),
      )
      const booking = await bookForStaff(c, service)
      ;(await askToMove(c, booking, await c.slot(service))).refusedWith('reschedule_not_allowed')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'LIV-076',
    'A reschedule to a time after the end of the credential returns a credential with a later end',
    async (c) => {
      const { booking, result } = await c.book()
      const first = asMembers(result.booking_scoped_credential)
      if (!first) throw new Skip('The business issues no booking-scoped credentials.')
      const end = Date.parse(String(first.expires_at))
      const isLater = ({ start }: Slot) => Date.parse(start) > end
      const next = await c.slot(c.simpleService, { where: isLater })
      const answer = await askToMove(c, booking, next)
      const second = expectMembers(answer.success().booking_scoped_credential, 'booking_scoped_credential')
      expectTrue(
        expectInstant(second.expires_at, 'expires_at') > end,
        'a later expires_at of the new credential',
        second.expires_at,
      )
      const read = await c.caller.call('getBooking', { booking_id: booking.id }, { credential: String(second.value) })
      expectEqual(bookingOf(read).id, booking.id, 'id of the booking in a read with the new credential')
    },
    { needs },
  ),
]

/**
 * Moves a booking of the service. If the status forbids the move, requires that nothing changed, and returns undefined.
 */
async function moveIfAllowed(c: CheckContext, service: Members): Promise<Members | undefined> {
  const { booking } = await c.book(service)
  const next = await c.slot(service)
  const answer = await askToMove(c, booking, next)
  if (answer.refusal) {
    answer.refusedWith('invalid_transition')
    await expectUnchanged(c, booking)
    return undefined
  }
  const moved = bookingOf(answer)
  expectEqual(asMembers(moved.slot)?.id, next.id, 'slot.id')
  return moved
}
