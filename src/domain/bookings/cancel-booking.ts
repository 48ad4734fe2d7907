import { peopleOfBooking } from '../../protocol/named-people.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { CancelBooking } from '../../protocol/types.generated.ts'
import { toBooking } from './booking.ts'
import { cancel } from './cancel.ts'
import { lockBooking } from './change-booking.ts'
import { bookingId, onBooking } from './operation-parts.ts'

export const cancelBooking = defineOperation<CancelBooking>({
  ...onBooking,
  people: peopleOfBooking,
  id: 'cancelBooking',
  rest: 'POST /bookings/{booking_id}/cancel',
  tool: 'usp_bookings_cancel',
  title: 'Cancel a booking',
  description:
    "Cancels on the buyer's behalf, by the terms agreed on at booking; the answer's `cancellation` says what it costs " +
    'and what goes back. The time is free for others at once.',
  effect: 'remove',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: bookingId,
      reason: { type: 'string', maxLength: 2000, description: 'Why, for the business.' },
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const by = { by: 'buyer', actor: caller.principal, reason: input.reason } as const
    return { booking: toBooking(await cancel(db, booking, by, now), context) }
  },
})
