import { defineOperation } from '../../../protocol/define-operation.ts'
import type { DeclineBooking } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { cancel } from '../../bookings/cancel-and-refund.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import { onBookingAtDesk, reason } from '../shared/operation-defaults.ts'
import { refuseUnlessAllowed } from './refuse-invalid-change.ts'

export const decline = defineOperation<DeclineBooking>({
  ...onBookingAtDesk,
  id: 'declineBooking',
  rest: 'POST /business/bookings/{booking_id}/decline',
  tool: 'usp_business_bookings_decline',
  title: 'Decline a booking',
  description: 'Declines a booking that awaits approval; usp_bookings_confirm approves it. Its time is free again.',
  effect: 'remove',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference, reason } },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    refuseUnlessAllowed(booking, 'decline', 'declined')
    const by = { by: 'business', actor: caller.principal, reason: input.reason, action: 'decline' } as const
    return { booking: toBooking(await cancel(db, booking, by, now), context) }
  },
})
