import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectMembers } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { policiesOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { readBooking } from '../transactions/slots-and-bookings.ts'
import { confirmPayment, expectDemandOfPayment } from './payment-steps.ts'

const needs = ['services.bookings']

export const paymentOutcomeChecks = [
  check(
    'ERR-027',
    'The message that demands a payment is in the action, not in the answer itself',
    async (c) => {
      const { result, action } = await bookUnpaid(c)
      c.schemas.expectValid('booking#Message', action.message, 'the message of the payment action')
      expectDemandOfPayment(action, result)
    },
    { needs },
  ),
  check(
    'ERR-029',
    'The server refuses a payment report with another amount',
    async (c) => {
      const { booking, action } = await bookUnpaid(c)
      const context = expectMembers(action.payment_context, 'payment_context')
      const payment_result = {
        status: 'paid',
        transaction_id: `conformance-${booking.id}`,
        amount_paid: Number(context.amount_due) + 1,
        currency: context.currency,
      }
      const answer = await confirmPayment(c, booking, payment_result)
      expectEqual(answer.refusedWith('payment_amount_mismatch').severity, 'requires_buyer_input', 'severity')
      expectEqual((await readBooking(c, booking)).status, booking.status, 'the status of the booking')
    },
    { needs },
  ),
]

/** Books a service that the buyer must pay in advance. After the check, cancels the booking. */
async function bookUnpaid(c: CheckContext): Promise<{ booking: Members; result: Members; action: Members }> {
  const service = c.service('service with payment at booking that needs no approval', (one) => {
    const { payment_timing, confirmation_mode } = policiesOf(one)
    return payment_timing === 'at_booking' && confirmation_mode === 'auto'
  })
  const { booking, result } = await c.book(service)
  const action = expectList(booking.actions ?? [], 'actions').find(({ type }) => type === 'payment')
  if (!action) throw new Skip('The booking has no payment action.')
  return { booking, result, action }
}
