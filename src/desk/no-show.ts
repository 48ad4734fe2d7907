import { written } from '../availability/zone.ts'
import { toBooking } from '../bookings/booking.ts'
import { lockBooking, saveBooking } from '../bookings/change-booking.ts'
import { bookingId } from '../bookings/operation-parts.ts'
import { netOf } from '../bookings/payment.ts'
import { placesEnd } from '../bookings/places.ts'
import { noShowTerms } from '../bookings/policies.ts'
import { Outcome } from '../protocol/errors.ts'
import { defineOperation } from '../protocol/operation.ts'
import type { MarkNoShow } from '../protocol/types.generated.ts'
import { owedAfterNoShow } from './money.ts'
import { amount, onBookingAtDesk } from './operation-parts.ts'
import { stepFrom } from './step-from.ts'

export const noShow = defineOperation<MarkNoShow>({
  ...onBookingAtDesk,
  id: 'markNoShow',
  rest: 'POST /business/bookings/{booking_id}/no-show',
  tool: 'usp_business_bookings_no_show',
  title: 'Mark a no-show',
  description:
    'Tells that nobody came, once the grace period is over. The fee agreed on is kept and the rest goes back, unless ' +
    'less is to. What is left of the time can be booked by others.',
  effect: 'update',
  frees: true,
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: bookingId,
      refund_amount: amount('How much goes back, at most what exceeds the fee; all of that when left out.'),
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const status = stepFrom(booking, 'miss', 'marked as a no-show')
    const { from, fee } = noShowTerms(booking)
    const { record } = booking
    if (now < from)
      throw new Outcome('invalid_transition', `They may still come until ${written(record.zone, from.getTime())}.`)
    const rest = Math.max(0, netOf(record.payment) - fee)
    const { refund_amount: refund = rest } = input
    if (refund > rest)
      throw new Outcome('validation_error', `After the fee of ${fee} at most ${rest} goes back.`, '$.refund_amount')
    await placesEnd(db, booking)
    const payment = record.payment && owedAfterNoShow(record.payment, fee, refund)
    const change = { status, record: { ...record, ...(payment && { payment }) } }
    const by = { actor: caller.principal, action: 'no_show', detail: { fee, refund } }
    return { booking: toBooking(await saveBooking(db, booking, change, by, now), context) }
  },
})
