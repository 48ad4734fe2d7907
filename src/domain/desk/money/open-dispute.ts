import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { OpenDispute } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { onBookingAtDesk } from '../shared/operation-defaults.ts'
import { disputeStatusAfter } from './dispute-lifecycle.ts'

export const openDispute = defineOperation<OpenDispute>({
  ...onBookingAtDesk,
  id: 'openDispute',
  rest: 'POST /business/bookings/{booking_id}/dispute',
  tool: 'usp_business_bookings_dispute_open',
  title: 'Open a dispute',
  description:
    'Records that the buyer disputes the payment. Booking and payment stay unchanged until the dispute is ' +
    'decided.',
  role: 'manager',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id', 'reason'],
    properties: {
      booking_id: idOrReference,
      reason: {
        type: 'string',
        pattern: '^[a-z][a-z0-9_]{0,99}$',
        description: 'Such as service_not_provided, quality_issue, unauthorized or duplicate.',
      },
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const status = disputeStatusAfter(booking, 'open')
    if (!booking.record.payment?.received.length)
      throw new BusinessRefusal('invalid_transition', 'There is no payment to dispute.')
    const dispute = { status, reason: input.reason, opened_at: now.toISOString() }
    const by = { actor: caller.principal, action: 'dispute_open', detail: { reason: input.reason } }
    const record = { ...booking.record, dispute }
    return { booking: toBooking(await saveBooking(db, booking, { change: { record }, by }, now), context) }
  },
})
