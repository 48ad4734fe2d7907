import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'

const needs = ['services.bookings']

export const paymentOutcomeChecks = [
  check(
    'ERR-027',
    'The demand for a payment is a message of the action, not of the answer',
    async (c) => {
      const { result, action } = await bookUnpaid(c)
      const message = expectMembers(action.message, 'the message of the payment action')
      c.schemas.expectValid('booking#Message', message, 'the message')
      expectEqual(message.code, 'payment_required', 'code')
      expectEqual(message.severity, 'requires_buyer_input', 'severity')
      const codes = (Array.isArray(result.messages) ? result.messages : []).map((own) => asMembers(own)?.code)
      expectTrue(!codes.includes('payment_required'), 'no payment_required in messages', codes)
    },
    { needs },
  ),
  check(
    'ERR-029',
    'A payment of another amount is refused',
    async (c) => {
      const { booking, action } = await bookUnpaid(c)
      const context = expectMembers(action.payment_context, 'payment_context')
      const payment_result = {
        status: 'paid',
        transaction_id: `conformance-${booking.id}`,
        amount_paid: Number(context.amount_due) + 1,
        currency: context.currency,
      }
      const answer = await c.caller.call('confirmPayment', { booking_id: booking.id, payment_result })
      expectEqual(answer.refusedWith('payment_amount_mismatch').severity, 'requires_buyer_input', 'severity')
      const after = (await c.caller.call('getBooking', { booking_id: booking.id })).success()
      expectEqual(asMembers(after.booking)?.status, booking.status, 'the status of the booking')
    },
    { needs },
  ),
]

/** Books a service that is paid ahead. The booking is canceled after the check. */
async function bookUnpaid(c: CheckContext): Promise<{ booking: Members; result: Members; action: Members }> {
  const service = c.service('service that is paid at its booking and confirmed at once', ({ policies }) => {
    const { payment_timing, confirmation_mode } = asMembers(policies) ?? {}
    return payment_timing === 'at_booking' && confirmation_mode === 'auto'
  })
  const { booking, result } = await c.book(service)
  const action = expectList(booking.actions ?? [], 'actions').find(({ type }) => type === 'payment')
  if (!action) throw new Skip('The booking has no payment action.')
  return { booking, result, action }
}
