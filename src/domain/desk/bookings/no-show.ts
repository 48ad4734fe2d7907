import { rfc3339 } from '../../../infra/time/zone.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { defineOperation } from '../../../protocol/operation.ts'
import type { MarkNoShow } from '../../../protocol/types.generated.ts'
import { toBooking } from '../../bookings/booking.ts'
import { allocationEnd } from '../../bookings/booking-allocation.ts'
import { type BookingChange, lockBooking, saveBooking } from '../../bookings/change-booking.ts'
import { currencyOf } from '../../bookings/currency.ts'
import { idOrReference } from '../../bookings/operation-parts.ts'
import { noShowTerms } from '../../bookings/policies.ts'
import { keptAmountOf, withRefund } from '../../payments/payment.ts'
import { amount, onBookingAtDesk } from '../shared/operation-parts.ts'
import { refuseUnlessAllowed } from './refuse-unless-allowed.ts'

export const noShow = defineOperation<MarkNoShow>({
  ...onBookingAtDesk,
  id: 'markNoShow',
  rest: 'POST /business/bookings/{booking_id}/no-show',
  tool: 'usp_business_bookings_no_show',
  title: 'Mark a no-show',
  description:
    'Tells that nobody came, once the grace period is over. The fee agreed on, or less, is kept of what was paid and the ' +
    'rest goes back, unless less is to; what is missing of it is owed. What is left of the time can be booked by others.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      fee: amount('What it costs, at most what was agreed on; that when left out.'),
      refund_amount: amount('How much goes back, at most what exceeds the fee; all of that when left out.'),
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
        `They may still come until ${rfc3339(record.zone, from.getTime())}.`,
      )
    if (fee > agreed)
      throw new BusinessRefusal('validation_error', `A fee of ${agreed} was agreed on, and no more.`, '$.fee')
    const net = keptAmountOf(record.payment)
    const rest = Math.max(0, net - fee)
    const { refund_amount: refund = rest } = input
    if (refund > rest)
      throw new BusinessRefusal(
        'validation_error',
        `After the fee of ${fee} at most ${rest} goes back.`,
        '$.refund_amount',
      )
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
    return { booking: toBooking(await saveBooking(db, booking, change, by, now), context) }
  },
})
