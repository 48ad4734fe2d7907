import { defineOperation } from '../../../protocol/define-operation.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import type { Dispute, ResolveDispute } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { amount, onBookingAtDesk } from '../shared/operation-defaults.ts'
import { disputeStatusAfter } from './dispute-lifecycle.ts'
import { refundOf } from './refund-booking.ts'

export const resolveDispute = defineOperation<ResolveDispute>({
  ...onBookingAtDesk,
  id: 'resolveDispute',
  rest: 'POST /business/bookings/{booking_id}/dispute/resolve',
  tool: 'usp_business_bookings_dispute_resolve',
  title: 'Decide a dispute',
  description:
    'Records the decision of a dispute. If the buyer wins, the payment is refunded; otherwise it stays as it is.',
  role: 'manager',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id', 'in_favor_of'],
    properties: {
      booking_id: idOrReference,
      in_favor_of: { enum: ['buyer', 'business'], description: 'Who won the dispute.' },
      refund_amount: amount('The refund if the buyer wins; all that is left when left out.'),
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const { in_favor_of, refund_amount } = input
    const booking = await lockBooking(context, input.booking_id)
    const status = disputeStatusAfter(booking, in_favor_of === 'buyer' ? 'for_buyer' : 'for_business')
    if (in_favor_of === 'business' && refund_amount)
      throw invalidInput('There is no refund if the business wins.', '$.refund_amount')
    const { record } = booking
    const { payment = record.payment, refund = 0 } =
      in_favor_of === 'buyer' ? refundOf(booking, refund_amount, '$.refund_amount') : {}
    const dispute: Dispute | undefined = record.dispute && { ...record.dispute, status, resolved_at: now.toISOString() }
    const change = { record: { ...record, ...(payment && { payment }), ...(dispute && { dispute }) } }
    const by = { actor: caller.principal, action: 'dispute_resolve', detail: { status, refund } }
    return { booking: toBooking(await saveBooking(db, booking, { change, by }, now), context) }
  },
})
