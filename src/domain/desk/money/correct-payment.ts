import { omitUndefined } from '../../../infra/util/object-members.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { CorrectBookingPayment } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import { paymentsOf } from '../../payments/queries.ts'
import { amount, notFound, onBookingAtDesk } from '../shared/operation-defaults.ts'
import { MOST_TIP, paymentMethodInput } from './counter-payment-rules.ts'
import { isUnchanged, refuseUncorrectable } from './payment-correction-rules.ts'
import { replacePayment } from './replace-payment.ts'

export const correctPayment = defineOperation<CorrectBookingPayment>({
  ...onBookingAtDesk,
  id: 'correctBookingPayment',
  rest: 'POST /business/bookings/{booking_id}/payments/{payment_id}/correct',
  tool: 'usp_business_bookings_payment_correct',
  title: 'Correct a payment entered at the desk',
  description:
    'Corrects a payment that was entered wrong. It stays in the books: a second entry takes it back, and a third ' +
    'one replaces it, both dated now and under the name of the original staff member. Members that are left out stay ' +
    'unchanged. Without amount and tip, it is only taken back. Only the latest entry can be corrected.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id', 'payment_id'],
    properties: {
      booking_id: idOrReference,
      payment_id: { type: 'string', minLength: 1, description: 'Id from `payments` of the booking.' },
      amount: amount('The correct amount, without the tip.'),
      tip: { ...amount('The correct tip.'), maximum: MOST_TIP },
      ...paymentMethodInput,
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const all = await paymentsOf(db, booking.id)
    const original = all.find(({ id }) => id === input.payment_id)
    if (!original) throw notFound('payment of this booking', input.payment_id)
    refuseUncorrectable(original, all)
    const {
      amount = original.amount,
      tip = original.tip,
      kind = original.kind,
      transaction_id = original.reference,
    } = input
    const corrected = { amount, tip, kind, ...omitUndefined({ transaction_id: transaction_id ?? undefined }) }
    if (isUnchanged(original, corrected)) return { booking: toBooking(booking, context) }
    return {
      booking: toBooking(await replacePayment(db, booking, { original, corrected, caller }, now), context),
    }
  },
})
