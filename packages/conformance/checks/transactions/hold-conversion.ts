import { expectEqual } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { askForHold, askToBook, bookingOf, expectUnchanged, holdOf, readBooking } from './slots-and-bookings.ts'

const needs = ['services.availability', 'services.bookings']
const INVALID = { rest: 422, mcp: -32602 }
const UNKNOWN = 'hold_00000000000000000000'

export const holdConversionChecks = [
  check(
    'LIV-059',
    'A released hold whose slot is free is no longer good for a booking',
    async (c) => {
      const { hold, slot } = await c.hold()
      await c.caller.call('release', { hold_id: hold.id })
      const answer = await askToBook(c, slot, { input: { hold_id: hold.id } })
      const { severity } = answer.refusedWith('hold_expired')
      expectEqual(severity, 'recoverable', 'severity')
      expectEqual('booking' in (answer.result ?? {}), false, 'whether the refusal has a booking')
    },
    { needs },
  ),
  check(
    'LIV-060',
    'A released hold whose slot is taken meanwhile gives slot_unavailable',
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
    'A second booking with one hold answers with the booking made from it',
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
    'An unknown hold and a foreign hold make a booking an invalid request, and the hold stays active',
    async (c) => {
      const { hold, slot } = await c.hold()
      const { caller } = c.newPlatform()
      for (const hold_id of [UNKNOWN, hold.id])
        (await askToBook(c, slot, { caller, input: { hold_id } })).failsWith('validation_error', INVALID)
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
  check(
    'LIV-063 LIV-077',
    'An unknown hold and a foreign hold make a reschedule an invalid request, and change nothing',
    async (c) => {
      const { caller } = c.newPlatform()
      const { hold, slot } = await c.hold()
      const { booking } = await c.book(c.simpleService, { caller })
      for (const hold_id of [UNKNOWN, hold.id]) {
        const answer = await caller.call('reschedule', { booking_id: booking.id, slot_id: slot.id, hold_id })
        answer.failsWith('validation_error', INVALID)
      }
      await expectUnchanged(c, booking, caller)
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
  check(
    'LIV-011',
    'A hold of another slot makes a booking an invalid request, and stays active',
    async (c) => {
      const { hold, slot } = await c.hold()
      const other = await c.slot(c.simpleService)
      const answer = await askToBook(c, other, { input: { hold_id: hold.id } })
      answer.failsWith('validation_error', INVALID)
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
  check(
    'HLD-042',
    'A booking that is refused for its content leaves its hold active',
    async (c) => {
      const { hold, slot } = await c.hold()
      const input = { hold_id: hold.id, buyer: { ...c.buyer(), email: 'no address' } }
      const refused = await askToBook(c, slot, { input })
      expectEqual('booking' in (refused.result ?? {}), false, 'whether the answer has a booking')
      ;(await askForHold(c, slot, { caller: c.newPlatform().caller })).refusedWith('slot_unavailable')
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
    'A reschedule with a released hold is refused, and the booking keeps its slot',
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
    'A reschedule that is refused does not release its hold',
    async (c) => {
      const { booking } = await c.book()
      const { hold, slot } = await c.hold()
      const other = await c.slot(c.simpleService)
      const input = { booking_id: booking.id, slot_id: other.id, hold_id: hold.id }
      const refused = await c.caller.call('reschedule', input)
      expectEqual('booking' in (refused.result ?? {}), false, 'whether the answer has a booking')
      await expectUnchanged(c, booking)
      ;(await askForHold(c, slot, { caller: c.newPlatform().caller })).refusedWith('slot_unavailable')
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id } }))
    },
    { needs },
  ),
]
