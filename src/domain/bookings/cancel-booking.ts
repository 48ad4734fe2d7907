import { defineOperation } from '../../protocol/define-operation.ts'
import { peopleOfBooking } from '../../protocol/list-records-about-people.ts'
import type { CancelBooking } from '../../protocol/types.generated.ts'
import { bookingId, onBooking, toBooking } from './booking-response.ts'
import { cancel } from './cancel-and-refund.ts'
import { lockBooking } from './lock-and-save-booking.ts'
import { refuseByStatus } from './operations-by-status.ts'

export const cancelBooking = defineOperation<CancelBooking>({
  ...onBooking,
  people: peopleOfBooking,
  id: 'cancelBooking',
  rest: 'POST /bookings/{booking_id}/cancel',
  tool: 'usp_bookings_cancel',
  title: 'Cancel a booking',
  description:
    'Cancels the booking for the buyer, under the terms agreed at booking. `cancellation` in the answer states the fee and the refund.',
  effect: 'remove',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: bookingId,
      reason: { type: 'string', maxLength: 2000, description: 'The reason, for the business.' },
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    refuseByStatus('cancel', booking)
    const by = { by: 'buyer', actor: caller.principal, reason: input.reason } as const
    return { booking: toBooking(await cancel(db, booking, by, now), context) }
  },
})
