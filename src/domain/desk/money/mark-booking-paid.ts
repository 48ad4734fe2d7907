import { omitUndefined } from '../../../infra/util/object-members.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { MarkBookingPaid } from '../../../protocol/types.generated.ts'
import { currencyOf, owedFee } from '../../bookings/booking-amounts-owed.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import { amount, onBookingAtDesk } from '../shared/operation-defaults.ts'
import { defaultAmount, MOST_TIP, paymentMethodInput } from './counter-payment-rules.ts'
import { takePayment } from './record-counter-payment.ts'

export const markPaid = defineOperation<MarkBookingPaid>({
  ...onBookingAtDesk,
  id: 'markBookingPaid',
  rest: 'POST /business/bookings/{booking_id}/paid',
  tool: 'usp_business_bookings_mark_paid',
  title: 'Mark a booking as paid',
  description:
    'Records that money was paid to the business: the amount due, an owed no-show fee, or the rest to pay at ' +
    'the visit. A booking that waited for the payment is confirmed, once no other action is open. After a part ' +
    'payment the rest stays due. Without an amount, a repeated call changes nothing. With an amount or a tip, ' +
    'send an idempotency key.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      amount: amount(
        'The amount, at most what is still to be paid; by default what is due now. To record the rest beyond a ' +
          'deposit, give the amount.',
      ),
      tip: { ...amount('The tip: not part of the price, and visible only to the staff.'), maximum: MOST_TIP },
      ...paymentMethodInput,
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const { cancellation } = booking.record
    if (cancellation?.canceled_by === 'system')
      throw new BusinessRefusal('payment_expired', 'The booking has expired, since it was not paid in time.')
    const { amount = defaultAmount(booking), tip = 0, kind, transaction_id } = input
    if (input.amount === undefined && tip === 0 && isPaid(booking))
      return { booking: toBooking(booking, context), messages: [{ ...alreadyPaid }] }
    const currency = currencyOf(booking, await context.business.get())
    const trace = omitUndefined({ kind, transaction_id })
    const after = await takePayment(
      db,
      booking,
      { counterPayment: { amount, currency, tip, provider: 'manual', ...trace }, caller },
      now,
    )
    if (after.status === 'canceled')
      throw new BusinessRefusal('payment_expired', 'The booking has just expired, since it was not paid in time.')
    return { booking: toBooking(after, context) }
  },
})

const isPaid = (booking: BookingRow): boolean => {
  const { status, record } = booking
  const { payment, no_show } = record
  if (status === 'canceled' || owedFee(booking)) return false
  return payment ? payment.due === 0 && payment.received.length > 0 : no_show !== undefined
}

const alreadyPaid = {
  type: 'info',
  code: 'already_confirmed',
  content: 'It was already paid; nothing has changed.',
} as const
