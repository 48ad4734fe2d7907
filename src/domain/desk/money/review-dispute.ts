import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ReviewDispute } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { onBookingAtDesk } from '../shared/operation-defaults.ts'
import { disputeStatusAfter } from './dispute-lifecycle.ts'

export const reviewDispute = defineOperation<ReviewDispute>({
  ...onBookingAtDesk,
  id: 'reviewDispute',
  rest: 'POST /business/bookings/{booking_id}/dispute/review',
  tool: 'usp_business_bookings_dispute_review',
  title: 'Mark a dispute as under review',
  description: 'Records that the dispute is under review.',
  role: 'manager',
  effect: 'update',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference } },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const status = disputeStatusAfter(booking, 'review')
    const { record } = booking
    const dispute = record.dispute && { ...record.dispute, status }
    const change = { record: { ...record, ...(dispute && { dispute }) } }
    const by = { actor: caller.principal, action: 'dispute_review' }
    return { booking: toBooking(await saveBooking(db, booking, { change, by }, now), context) }
  },
})
