import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import type { Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { isManual, isPaidAhead, manualService, paidService, policiesOf } from './service-kinds.ts'
import {
  askForHold,
  askToBook,
  bookingOf,
  expectOffered,
  expectUnchanged,
  holdOf,
  readBooking,
  staffAction,
} from './slots-and-bookings.ts'

const needs = ['services.bookings']

const termsOf = (service: Members): Members => asMembers(policiesOf(service).rescheduling) ?? {}
const isConfirmedAtOnce = (service: Members) => !isManual(service) && !isPaidAhead(service)

export const bookingRescheduleChecks = [
  check(
    'BKG-104 BKG-105 BKG-106 REV-001 REV-005',
    'A confirmed booking moves to a free slot, and its old slot is offered again',
    async (c) => {
      const { booking, slot } = await c.book()
      const next = await c.slot(c.simpleService)
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: next.id })
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
    'The slot that a booking left can be held and booked by another platform',
    async (c) => {
      c.needsHolds()
      const { booking, slot } = await c.book()
      const next = await c.slot(c.simpleService)
      bookingOf(await c.caller.call('reschedule', { booking_id: booking.id, slot_id: next.id }))
      const { caller } = c.newPlatform()
      const { id: hold_id } = holdOf(await askForHold(c, slot, { caller }))
      bookingOf(await askToBook(c, slot, { caller, input: { hold_id } }))
    },
    { needs: [...needs, 'services.availability'] },
  ),
  check(
    'LIV-067',
    'A reschedule of a pending booking leaves it pending, or is refused by its status',
    async (c) => {
      const service = manualService(c)
      const { booking } = await c.book(service)
      const next = await c.slot(service)
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: next.id })
      if (answer.refusal) {
        answer.refusedWith('invalid_transition')
        return expectUnchanged(c, booking)
      }
      const moved = bookingOf(answer)
      expectEqual([moved.status, asMembers(moved.slot)?.id], ['pending', next.id], 'status and slot')
    },
    { needs },
  ),
  check(
    'LIV-067',
    'A reschedule of an unpaid booking moves it, or is refused by its status',
    async (c) => {
      const service = paidService(c)
      const { booking } = await c.book(service)
      const next = await c.slot(service)
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: next.id })
      if (answer.refusal) {
        answer.refusedWith('invalid_transition')
        return expectUnchanged(c, booking)
      }
      expectEqual(asMembers(bookingOf(answer).slot)?.id, next.id, 'slot.id')
    },
    { needs },
  ),
  check(
    'LIV-066 LIV-016',
    'A canceled booking cannot be moved',
    async (c) => {
      const { booking } = await c.book()
      const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: booking.id }))
      const next = await c.slot(c.simpleService)
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: next.id })
      expectEqual(answer.refusedWith('invalid_transition').severity, 'unrecoverable', 'severity')
      await expectUnchanged(c, canceled)
      await expectOffered(c, next, true)
    },
    { needs },
  ),
  check(
    'BKG-111',
    'A reschedule without a slot is refused',
    async (c) => {
      const { booking } = await c.book()
      const answer = await c.caller.call('reschedule', { booking_id: booking.id })
      answer.failsWith('invalid_request', { rest: 400, mcp: -32600 })
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-112 BKG-043 LIV-077',
    'A reschedule to a taken slot is refused, and the booking keeps its slot',
    async (c) => {
      const { booking, slot } = await c.book()
      const other = c.newPlatform().caller
      const { slot: taken } = await c.book(c.simpleService, { caller: other })
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: taken.id })
      answer.refusedWith('slot_unavailable')
      expectEqual('booking' in (answer.result ?? {}), false, 'whether the refusal has a booking')
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
      const other = c.service(
        'second appointment',
        ({ id, type }) => type === 'appointment' && id !== booking.service_id,
      )
      const { id } = await c.slot(other)
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: id })
      answer.refusedWith('slot_unavailable')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-115',
    'A booking can move to a time that overlaps its own time only',
    async (c) => {
      const { slot, next } = await overlappingSlots(c)
      const booking = bookingOf(await askToBook(c, slot))
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: next.id })
      expectEqual(asMembers(bookingOf(answer).slot)?.id, next.id, 'slot.id')
    },
    { needs },
  ),
  check(
    'BKG-118 BKG-121',
    'A booking moves only as often as its terms say, and refused moves do not count',
    async (c) => {
      const limit = (service: Members) => Number(termsOf(service).max_reschedules)
      const service = c.service(
        'service with a small number of reschedules',
        (one) => limit(one) >= 1 && limit(one) <= 3 && isConfirmedAtOnce(one),
      )
      const { booking, slot } = await c.book(service)
      const { slot: taken } = await c.book(service, { caller: c.newPlatform().caller })
      const move = ({ id }: Slot) => c.caller.call('reschedule', { booking_id: booking.id, slot_id: id })
      const targets = [await c.slot(service), slot]
      for (let count = 0; count < limit(service); count++) {
        ;(await move(taken)).refusedWith('slot_unavailable')
        bookingOf(await move(targets[count % 2] ?? slot))
      }
      const last = await readBooking(c, booking)
      const refused = await move(targets[limit(service) % 2] ?? slot)
      expectEqual(refused.refusedWith('reschedule_limit_reached').severity, 'requires_buyer_review', 'severity')
      await expectUnchanged(c, last)
    },
    { needs },
  ),
  check(
    'BKG-119',
    'A booking that may not be moved keeps its slot',
    async (c) => {
      const service = c.service(
        'service that may not be moved',
        (one) => termsOf(one).allowed === false && isConfirmedAtOnce(one),
      )
      const cancel = staffAction(c, 'cancel')
      const { booking } = await c.book(service)
      c.afterwards(() => cancel(booking.id))
      const { id } = await c.slot(service)
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: id })
      answer.refusedWith('reschedule_not_allowed')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'LIV-076',
    'After a reschedule, a credential of the caller is good beyond the new slot',
    async (c) => {
      const { booking, result } = await c.book()
      const first = asMembers(result.booking_scoped_credential)
      if (!first) throw new Skip('The business issues no booking-scoped credential.')
      const end = Date.parse(String(first.expires_at))
      const isLater = ({ start }: Slot) => Date.parse(start) > end
      const next = await c.slot(c.simpleService, { where: isLater })
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: next.id })
      const second = expectMembers(answer.success().booking_scoped_credential, 'booking_scoped_credential')
      expectTrue(
        expectInstant(second.expires_at, 'expires_at') > end,
        'a credential that lasts longer',
        second.expires_at,
      )
      const read = await c.caller.call('getBooking', { booking_id: booking.id }, { credential: String(second.value) })
      expectEqual(bookingOf(read).id, booking.id, 'id of the booking read with the new credential')
    },
    { needs },
  ),
]

/** Two slots of the same resource, of which the second starts during the first. */
async function overlappingSlots(c: Parameters<typeof readBooking>[0]): Promise<{ slot: Slot; next: Slot }> {
  const slot = await c.slot(c.simpleService)
  const query = { service_id: slot.service_id, start_date: slot.start, end_date: slot.end }
  const { slots } = (await c.anonymous.call('queryAvailability', query)).success()
  const resources = ({ resources }: Slot) => JSON.stringify(resources)
  const next = (slots as Slot[]).find((one) => one.start > slot.start && resources(one) === resources(slot))
  if (!next) throw new Skip('No slot starts during another one of the same resource.')
  return { slot, next }
}
