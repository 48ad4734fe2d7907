import { omitUndefined } from '../../infra/util/object-members.ts'
import { moneyAsSent } from '../../protocol/convert-money-strings.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { BusinessRefusal, ProtocolError } from '../../protocol/errors.ts'
import { peopleOfBooking } from '../../protocol/list-records-about-people.ts'
import type { ConfirmPayment, Message } from '../../protocol/types.generated.ts'
import { owedFee } from '../bookings/booking-amounts-owed.ts'
import { bookingId, onBooking, toBooking } from '../bookings/booking-response.ts'
import { isBeingChecked } from '../bookings/booking-row.ts'
import { awaits } from '../bookings/buyer-tasks.ts'
import { completePayment } from '../bookings/complete-buyer-task.ts'
import { lockBooking } from '../bookings/lock-and-save-booking.ts'
import { permissionFor, refuseByStatus } from '../bookings/operations-by-status.ts'
import type { Providers } from '../payments/find-payment-provider.ts'
import { amountDue, recordReportedPayment } from '../payments/record-payment.ts'
import { type Payment, takesPayment, totalOf } from '../pricing/payment-amounts.ts'
import { notReceived, type ReportTrust, refuseOtherAmount, verifyPaymentReport } from './verify-payment-report.ts'

export const confirmPayment = defineOperation<
  ConfirmPayment & { prepared: ReportTrust; needs: { payments: Providers } }
>({
  ...onBooking,
  people: peopleOfBooking,
  id: 'confirmPayment',
  rest: 'POST /bookings/{booking_id}/confirm-payment',
  tool: 'usp_bookings_confirm_payment',
  title: 'Report a payment',
  description:
    'Reports that the buyer has paid exactly what the payment action asked for. The booking is confirmed once ' +
    'no other action is open. A repeated report changes nothing. A business that takes payments on its own ' +
    'page checks the payment there, unless it trusts the caller to collect payments.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id', 'payment_result'],
    properties: {
      booking_id: bookingId,
      payment_result: {
        type: 'object',
        description: 'What the checkout reports about the payment.',
        required: ['status', 'transaction_id', 'amount_paid', 'currency'],
        properties: {
          status: { enum: ['paid', 'deposit_paid'], description: 'Whether the full amount or the deposit was paid.' },
          transaction_id: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            description: "The provider's id of the payment.",
          },
          amount_paid: moneyAsSent('In minor units.'),
          currency: { type: 'string', minLength: 1, description: 'ISO 4217.' },
          provider: { type: 'string', maxLength: 100, description: 'Who took the payment.' },
          order_reference: { type: 'string', maxLength: 255, description: 'The order it belongs to.' },
        },
      },
    },
  },
  prepare: verifyPaymentReport,
  async handle(context, worth) {
    const { input, db, caller, now } = context
    const { transaction_id, provider, order_reference } = input.payment_result
    // The caller can send the revision (version mark) of the booking that they expect. `verifyPaymentReport` has
    // already compared this revision, and has recorded the payment. Recording the payment changed the revision, so a
    // second comparison would fail.
    const withoutRevision = worth === 'confirmed' ? { ...context, ifMatch: undefined } : context
    const booking = await lockBooking(withoutRevision, input.booking_id)
    const { payment, cancellation } = booking.record
    const unchanged = (message: Message) => ({ booking: toBooking(booking, context), messages: [message] })
    if (cancellation?.canceled_by === 'system') {
      // If a payment arrives when the slot is no longer reserved, the server records the payment, cancels the booking
      // and returns the payment. The payment and the cancellation then have the same time.
      if (payment?.received.some(({ received_at }) => received_at === cancellation.canceled_at))
        throw confirmationFailed('The payment goes back to the buyer.')
      if (takesPayment(payment) && totalOf(payment) > 0) return unchanged(expired)
    }
    if (worth === 'confirmed' && booking.status !== 'canceled') return { booking: toBooking(booking, context) }
    if (owedFee(booking))
      throw new BusinessRefusal(
        'invalid_transition',
        'This booking is a no-show. The buyer pays its fee to the business directly.',
      )
    refuseByStatus('confirm_payment', booking)
    if (!payment || !awaits(booking, 'payment')) {
      if (hasNoPrice(payment)) throw unverifiable()
      const isPaid = payment !== undefined && payment.received.length > 0
      if (isPaid || permissionFor('confirm_payment', booking) === 'unchanged') return unchanged(alreadyConfirmed)
      throw new BusinessRefusal(
        'invalid_transition',
        'This booking requires an action of the buyer, but no payment. Complete its open actions instead.',
      )
    }
    if (isBeingChecked(booking, now)) return unchanged(late)
    refuseOtherAmount(payment, input.payment_result)
    if (worth !== 'taken') throw notReceived()
    const paid = omitUndefined({ transaction_id, provider, order_reference })
    const receipt = await recordReportedPayment(db, booking, { ...amountDue(payment), ...paid, caller }, now)
    const after = await completePayment(db, booking, { payment, receipt, actor: caller.principal }, now)
    // This error rolls back the transaction, so the server records nothing. The platform that took the payment must
    // return it to the buyer.
    if (after.status === 'canceled') throw confirmationFailed('Nothing was recorded. Return the payment to the buyer.')
    return { booking: toBooking(after, context) }
  },
})

/**
 * Tells whether the buyer must pay in advance for a service without a price. In this case, the server cannot compare a
 * reported payment with a price, so it refuses the report.
 */
const hasNoPrice = (payment: Payment | undefined): boolean =>
  takesPayment(payment) && payment.due === 0 && payment.amount === 0 && payment.received.length === 0

const unverifiable = () =>
  new ProtocolError(
    'payment_unverifiable',
    'This booking has no price that the payment could be compared with. The payment changed nothing, and nothing was ' +
      'recorded. Return the payment to the buyer.',
  )

const confirmationFailed = (money: string) =>
  new ProtocolError(
    'confirmation_failed',
    `The time of the booking is no longer reserved. The booking was not confirmed. ${money}`,
  )

const expired: Message = {
  type: 'error',
  code: 'payment_expired',
  content: 'The time to pay has passed and the booking has expired. Book another slot.',
  severity: 'recoverable',
}

const late: Message = {
  type: 'error',
  code: 'payment_expired',
  content:
    'The time to pay has passed. The booking expires soon, unless it was paid in time on the page of the business.',
  severity: 'recoverable',
}

const alreadyConfirmed: Message = {
  type: 'info',
  code: 'already_confirmed',
  content: 'Nothing is due for this booking, and nothing was recorded.',
}
