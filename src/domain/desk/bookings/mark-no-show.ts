import { rfc3339 } from '../../../infra/time/time-zone.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput } from '../../../protocol/errors.ts'
import type { MarkNoShow } from '../../../protocol/types.generated.ts'
import { allocationEnd } from '../../bookings/allocate-booking-slot.ts'
import { currencyOf } from '../../bookings/booking-amounts-owed.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { noShowTerms } from '../../bookings/cancel-and-reschedule-rules.ts'
import { type BookingChange, lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { keptAmountOf, withRefund } from '../../pricing/payment-amounts.ts'
import { amount, onBookingAtDesk } from '../shared/operation-defaults.ts'
import { refuseUnlessAllowed } from './refuse-invalid-change.ts'

export const noShow = defineOperation<MarkNoShow>({
  ...onBookingAtDesk,
  id: 'markNoShow',
  rest: 'POST /business/bookings/{booking_id}/no-show',
  tool: 'usp_business_bookings_no_show',
  title: 'Mark a no-show',
  description:
    'Marks a booking as a no-show after its grace period. The business keeps the agreed fee, or less, from the ' +
    'payment and refunds the rest, or less. If the payment does not cover the fee, the buyer owes the ' +
    'difference. Others can book the rest of the time.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      fee: amount('The fee; by default the agreed fee, which is also the maximum.'),
      refund_amount: amount('The refund; by default all that exceeds the fee, which is also the maximum.'),
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    refuseUnlessAllowed(booking, 'miss', 'marked as a no-show')
    const { from, fee: agreed } = noShowTerms(booking)
    const { record } = booking
    const { fee = agreed } = input
    if (now < from)
      throw new BusinessRefusal(
        'invalid_transition',
        `The grace period of this booking lasts until ${rfc3339(record.zone, from.getTime())}.`,
      )
    if (fee > agreed) throw invalidInput(`The agreed fee is ${agreed}, and this is more.`, '$.fee')
    const net = keptAmountOf(record.payment)
    const rest = Math.max(0, net - fee)
    const { refund_amount: refund = rest } = input
    if (refund > rest)
      throw invalidInput(`After the fee of ${fee}, at most ${rest} can be refunded.`, '$.refund_amount')
    await allocationEnd(db, booking)
    const payment = record.payment && withRefund(record.payment, refund)
    const sums = { fee, amount_due: Math.max(0, fee - net), refund_amount: refund }
    const no_show = {
      ...sums,
      currency: currencyOf(booking, await context.business.get()),
      marked_at: now.toISOString(),
    }
    const change: BookingChange = {
      step: 'miss',
      record: { ...record, ...(payment && { payment }), ...(agreed > 0 && { no_show }) },
    }
    const by = { actor: caller.principal, action: 'no_show', detail: { fee, refund } }
    return { booking: toBooking(await saveBooking(db, booking, { change, by }, now), context) }
  },
})
