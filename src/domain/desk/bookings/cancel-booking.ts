import { defineOperation } from '../../../protocol/define-operation.ts'
import type { CancelBusinessBooking } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { cancel as cancelBooking } from '../../bookings/cancel-and-refund.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import { onBookingAtDesk, reason } from '../shared/operation-defaults.ts'

export const cancel = defineOperation<CancelBusinessBooking>({
  ...onBookingAtDesk,
  id: 'cancelBusinessBooking',
  rest: 'POST /business/bookings/{booking_id}/cancel',
  tool: 'usp_business_bookings_cancel',
  title: 'Cancel a booking for the business',
  description:
    'Cancels a booking on behalf of the business, whatever the terms for buyers are. It costs nothing, and all ' +
    'payments are refunded.',
  effect: 'remove',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference, reason } },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const by = { by: 'business', actor: caller.principal, reason: input.reason } as const
    return { booking: toBooking(await cancelBooking(db, booking, by, now), context) }
  },
})
