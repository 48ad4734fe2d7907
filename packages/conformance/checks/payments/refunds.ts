import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { millisecondsOf } from '../../target/free-slots.ts'
import { cancellationOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { pricingOf } from '../core/service-facts.ts'
import { eventWith } from '../events/received-events.ts'
import { cancelBooking } from '../transactions/slots-and-bookings.ts'
import { bookLate, MARGIN_MS } from './late-booking.ts'
import { depositOf, expectAmount, expectNoEventOfRefund, isPaid, minorUnits, needs, pay } from './payment-steps.ts'

export const refundChecks = [
  check(
    'PAY-060 PAY-066 PAY-067 PAY-068',
    'An early, free cancellation refunds the whole payment, and keeps its transaction data',
    async (c) => {
      const service = paidAndCancelable(c, () => true)
      const { free_cancellation_until } = cancellationOf(service)
      const free = millisecondsOf(free_cancellation_until)
      const { booking } = await c.book(service, {
        where: ({ start }) => Date.parse(start) > Date.now() + free + MARGIN_MS,
      })
      const paid = expectMembers((await pay(c, booking, { order_reference: 'order-8' })).payment, 'payment')
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount } = expectMembers(cancellation, 'cancellation')
      expectAmount(refund_amount, amountDueOf(booking), 'cancellation.refund_amount')
      const { status, amount_due, transaction_id, order_reference } = expectMembers(payment, 'payment')
      expectEqual(status, 'refunded', 'payment.status')
      expectAmount(amount_due, 0, 'payment.amount_due')
      expectEqual(transaction_id, paid.transaction_id, 'payment.transaction_id')
      expectEqual(order_reference, 'order-8', 'payment.order_reference')
    },
    { needs },
  ),
  check(
    'PAY-061 PAY-067',
    'A late cancellation refunds the payment minus the fee',
    async (c) => {
      const service = paidAndCancelable(c, (fee, price) => fee > 0 && fee < price)
      const booking = await bookLate(c, service, lateWindowOf(service))
      await pay(c, booking)
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount, fee } = expectMembers(cancellation, 'cancellation')
      const expected = lateFeeOf(service)
      expectAmount(fee, expected, 'cancellation.fee')
      expectAmount(refund_amount, amountDueOf(booking) - expected, 'cancellation.refund_amount')
      expectEqual(expectMembers(payment, 'payment').status, 'partially_refunded', 'payment.status')
    },
    { needs },
  ),
  check(
    'PAY-062',
    'A late cancellation refunds nothing if the fee is not below the paid deposit',
    async (c) => {
      const service = c.service('appointment with a late fee that is at least its deposit', (one) => {
        const { late_cancellation_fee: fee = 0, allowed } = cancellationOf(one)
        const { type, value } = depositOf(one)
        const isPart = type === 'percentage' && Number(fee) * 100 >= Number(pricingOf(one).amount) * Number(value)
        return one.type === 'appointment' && isPaid(one, 'deposit_required') && allowed === true && isPart
      })
      const booking = await bookLate(c, service, lateWindowOf(service))
      const before = expectMembers((await pay(c, booking)).payment, 'payment')
      if (amountDueOf(booking) > lateFeeOf(service)) throw new Skip('The deposit with its tax is above the late fee.')
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount } = expectMembers(cancellation, 'cancellation')
      expectAmount(refund_amount, 0, 'cancellation.refund_amount')
      expectEqual(expectMembers(payment, 'payment').status, before.status, 'payment.status')
      await expectNoEventOfRefund(c, booking)
    },
    { needs },
  ),
  check(
    'PAY-064',
    'A cancellation does not refund a deposit that is not refundable',
    async (c) => {
      const service = c.service(
        'service with a deposit that is not refundable',
        (one) => isPaid(one, 'deposit_required') && depositOf(one).refundable === false,
      )
      const { booking } = await c.book(service)
      await pay(c, booking)
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount } = expectMembers(cancellation, 'cancellation')
      expectAmount(refund_amount, 0, 'cancellation.refund_amount')
      expectEqual(expectMembers(payment, 'payment').status, 'deposit_paid', 'payment.status')
    },
    { needs },
  ),
  check(
    'PAY-065 PAY-066',
    'A cancellation before the payment refunds nothing and causes no refund event',
    async (c) => {
      const { booking } = await c.book(paidAndCancelable(c, () => true))
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount } = expectMembers(cancellation, 'cancellation')
      expectAmount(refund_amount, 0, 'cancellation.refund_amount')
      const { status, amount_due } = expectMembers(payment, 'payment')
      expectTrue(!String(status).includes('refunded'), 'another payment.status than a refund', status)
      expectAmount(amount_due, 0, 'payment.amount_due')
      await expectNoEventOfRefund(c, booking)
    },
    { needs },
  ),
  check(
    'PAY-063',
    'A cancellation by the staff refunds the whole payment without a fee, even shortly before the start',
    async (c) => {
      const { staff } = c
      if (!staff.cancel) throw new Skip('The staff adapter does not support the action cancel.')
      const service = paidAndCancelable(c, (fee) => fee > 0)
      const booking = await bookLate(c, service, lateWindowOf(service))
      await pay(c, booking)
      await staff.cancel(String(booking.id))
      const { event } = await eventWith(c.platform.hosted, { event: 'booking.canceled', booking_id: booking.id })
      const { cancellation, payment } = expectMembers(event.data, 'data')
      const { refund_amount, fee } = expectMembers(cancellation, 'cancellation')
      expectAmount(refund_amount, amountDueOf(booking), 'cancellation.refund_amount')
      expectAmount(fee ?? 0, 0, 'cancellation.fee')
      expectEqual(expectMembers(payment, 'payment').status, 'refunded', 'payment.status')
    },
    { needs },
  ),
]

const lateFeeOf = (service: Members): number =>
  minorUnits(cancellationOf(service).late_cancellation_fee, 'late_cancellation_fee')

function lateWindowOf(service: Members) {
  const { free_cancellation_until, no_cancellation_after } = cancellationOf(service)
  return { freeUntil: free_cancellation_until, possibleUntil: no_cancellation_after }
}

const amountDueOf = ({ payment }: Members): number =>
  minorUnits(expectMembers(payment, 'payment').amount_due, 'payment.amount_due')

/** Returns an appointment that the buyer pays at booking. Its fee for a late cancellation and its price must fit. */
function paidAndCancelable(c: CheckContext, fits: (lateFee: number, price: number) => boolean): Members {
  return c.service('appointment with payment at booking and a suitable cancellation policy', (service) => {
    const { allowed, late_cancellation_fee = 0 } = cancellationOf(service)
    const isFit = allowed === true && fits(Number(late_cancellation_fee), Number(pricingOf(service).amount))
    return service.type === 'appointment' && isPaid(service, 'at_booking') && isFit
  })
}
