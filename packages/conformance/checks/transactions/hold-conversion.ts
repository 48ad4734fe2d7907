import { expectEqual } from '../../run/expectations.ts'
import { check } from '../check.ts'
import {
  askForHold,
  askToBook,
  bookingOf,
  expectTaken,
  expectUnchanged,
  holdOf,
  readBooking,
  UNKNOWN_HOLD,
} from './slots-and-bookings.ts'

const needs = ['services.availability', 'services.bookings']

export const holdConversionChecks = [
  check(
    'LIV-059',
    'The server refuses a booking with a released hold, even if the slot is free (flow/101)',
    async (c) => {
      const { hold, slot } = await c.hold()
      await c.caller.call('release', { hold_id: hold.id })
      const answer = await askToBook(c, slot, { input: { hold_id: hold.id } })
      const { severity } = answer.refusedWith('hold_expired')
      expectEqual(severity, 'recoverable', 'severity')
      expectEqual('booking' in (answer.result ?? {}), false, 'the presence of a booking in the refusal')
    },
    { needs },
  ),
  check(
    'LIV-060',
    'A booking with a released hold gets slot_unavailable if another platform holds the slot',
    async (c) => {
      const { hold, slot } = await c.hold()
      await c.caller.call('release', { hold_id: hold.id })
      holdOf(await askForHold(c, slot, { caller: c.newPlatform().caller }))
      ;(await askToBook(c, slot, { input: { hold_id: hold.id } })).refusedWith('slot_unavailable')
    },
    { needs },
  ),
  check(
    'LIV-062 BKG-058',
    'A second booking with the same hold returns the first booking',
    async (c) => {
      const { hold, slot } = await c.hold()
      const input = { hold_id: hold.id, buyer: c.buyer() }
      const first = bookingOf(await askToBook(c, slot, { input }))
      for (const idempotencyKey of [null, crypto.randomUUID()]) {
        const again = await askToBook(c, slot, { input, options: { idempotencyKey } })
        expectEqual(bookingOf(again).id, first.id, 'id of the booking')
        if (c.binding === 'rest') expectEqual(again.status, 200, 'the HTTP status')
      }
    },
    { needs },
  ),
  check(
    'LIV-063',
    'The server refuses a booking with an unknown hold or a hold of another platform, which stays active',
    async (c) => {
      const { hold, slot } = await c.hold()
      const { caller } = c.newPlatform()
      for (const hold_id of [UNKNOWN_HOLD, hold.id])
        (await askToBook(c, slot, { caller, input: { hold_id } })).failsWith('validation_error')
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
  check(
    'LIV-063 LIV-077',
    'The server refuses a reschedule with an unknown hold or a hold of another platform, and changes nothing',
    async (c) => {
      const { caller } = c.newPlatform()
      const { hold, slot } = await c.hold()
      const { booking } = await c.book(c.simpleService, { caller })
      for (const hold_id of [UNKNOWN_HOLD, hold.id]) {
        const answer = await caller.call('reschedule', { booking_id: booking.id, slot_id: slot.id, hold_id })
        answer.failsWith('validation_error')
      }
      await expectUnchanged(c, booking, caller)
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
  check(
    'LIV-011',
    'The server refuses a booking with a hold of another slot, and the hold stays active',
    async (c) => {
      const { hold, slot } = await c.hold()
      const other = await c.slot(c.simpleService)
      const answer = await askToBook(c, other, { input: { hold_id: hold.id } })
      answer.failsWith('validation_error')
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
  check(
    'HLD-042',
    'The refusal of a booking with invalid content leaves its hold active',
    async (c) => {
      const { hold, slot } = await c.hold()
      const input = { hold_id: hold.id, buyer: { ...c.buyer(), email: 'no address' } }
      const refused = await askToBook(c, slot, { input })
      expectEqual('booking' in (refused.result ?? {}), false, 'the presence of a booking in the answer')
      await expectTaken(c, slot)
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
  check(
    'BKG-117',
    'A reschedule to a held slot uses the hold',
    async (c) => {
      const { booking } = await c.book()
      const { hold, slot } = await c.hold()
      const input = { booking_id: booking.id, slot_id: slot.id, hold_id: hold.id }
      const moved = bookingOf(await c.caller.call('reschedule', input))
      expectEqual((moved.slot as { id: string }).id, slot.id, 'slot.id')
      const released = holdOf(await c.caller.call('release', { hold_id: hold.id }))
      expectEqual(released.status, 'converted', 'status of the hold')
      expectEqual((await readBooking(c, booking)).slot, moved.slot, 'slot after the release')
    },
    { needs },
  ),
  check(
    'BKG-117 LIV-059 LIV-077',
    'The server refuses a reschedule with a released hold, and the booking keeps its slot',
    async (c) => {
      const { booking } = await c.book()
      const { hold, slot } = await c.hold()
      await c.caller.call('release', { hold_id: hold.id })
      const input = { booking_id: booking.id, slot_id: slot.id, hold_id: hold.id }
      ;(await c.caller.call('reschedule', input)).refusedWith('hold_expired')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'LIV-077',
    'A refused reschedule does not release its hold',
    async (c) => {
      const { booking } = await c.book()
      const { hold, slot } = await c.hold()
      const other = await c.slot(c.simpleService)
      const input = { booking_id: booking.id, slot_id: other.id, hold_id: hold.id }
      const refused = await c.caller.call('reschedule', input)
      expectEqual('booking' in (refused.result ?? {}), false, 'the presence of a booking in the answer')
      await expectUnchanged(c, booking)
      await expectTaken(c, slot)
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
]
