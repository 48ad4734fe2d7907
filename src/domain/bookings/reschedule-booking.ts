import { defineOperation } from '../../protocol/define-operation.ts'
import { peopleOfBooking } from '../../protocol/list-records-about-people.ts'
import type { RescheduleBooking } from '../../protocol/types.generated.ts'
import { waitForSlot } from '../availability/find-slot.ts'
import { lockHold } from './allocate-booking-slot.ts'
import { bookingId, bookingWithCredential, onBooking, toBooking } from './booking-response.ts'
import { refuseMoving } from './cancel-and-reschedule-rules.ts'
import { extendCredential } from './issue-booking-credential.ts'
import { lockBooking } from './lock-and-save-booking.ts'
import { refuseByStatus } from './operations-by-status.ts'
import { reschedule } from './quote-and-reschedule.ts'

export const rescheduleBooking = defineOperation<RescheduleBooking>({
  ...onBooking,
  people: peopleOfBooking,
  id: 'rescheduleBooking',
  rest: 'POST /bookings/{booking_id}/reschedule',
  tool: 'usp_bookings_reschedule',
  title: 'Move a booking',
  description:
    'Moves a booking to another slot of its service, under the terms agreed at booking. The booking keeps its ' +
    'id. If the new time costs more, the answer has a payment action.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id', 'slot_id'],
    properties: {
      booking_id: bookingId,
      slot_id: { type: 'string', minLength: 1, maxLength: 4000, description: 'Id of the new slot.' },
      hold_id: { type: 'string', minLength: 1, description: 'A hold of the caller on the new slot.' },
    },
  },
  output: bookingWithCredential,
  async handle(context) {
    const { input, db, caller, now, business, tag } = context
    await waitForSlot(db, input.slot_id)
    const booking = await lockBooking(context, input.booking_id)
    refuseByStatus('reschedule', booking)
    refuseMoving(booking, now)
    const hold = input.hold_id === undefined ? undefined : await lockHold(context, input.hold_id)
    // The booking already has this slot. The caller may have got no answer to the first request, and repeats the
    // request. The repetition costs no second fee and does not count as another move.
    const isThere = input.slot_id === booking.record.slot_id && (!hold || hold.booking_id === booking.id)
    if (isThere) return { booking: toBooking(booking, context) }
    const request = { definition: await business.get(), tag, slotId: input.slot_id, hold }
    const moved = await reschedule(db, booking, { ...request, actor: caller.principal, stranger: caller.stranger }, now)
    const credential = await extendCredential(context, moved)
    return { booking: toBooking(moved, context), ...(credential && { booking_scoped_credential: credential }) }
  },
})
