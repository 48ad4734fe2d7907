import { setTimeout as sleep } from 'node:timers/promises'
import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { eventWith, namesOfEvents, SETTLE_MS } from '../events/received-events.ts'
import { bookLate, millisecondsOf } from './late-booking.ts'
import { cancelBooking, isPaid, minorUnits, type PaymentTiming, pay, policiesOf } from './payment-scene.ts'

const needs = ['services.availability', 'services.bookings']
/** Time between the choice of a slot and the cancellation. */
const MARGIN_MS = 600_000

export const refundChecks = [
  check(
    'PAY-060 PAY-066 PAY-067 PAY-068',
    'A cancellation in the free time refunds everything, and keeps the transaction',
    async (c) => {
      const service = paidAndCancelable(c, 'at_booking', () => true)
      const { free_cancellation_until } = cancellationOf(service)
      const free = millisecondsOf(free_cancellation_until)
      const { booking } = await c.book(service, {
        where: ({ start }) => Date.parse(start) > Date.now() + free + MARGIN_MS,
      })
      const paid = expectMembers((await pay(c, booking, { order_reference: 'order-8' })).payment, 'payment')
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount } = expectMembers(cancellation, 'cancellation')
      const collected = amountDueOf(booking)
      expectEqual(minorUnits(refund_amount, 'refund_amount'), collected, 'cancellation.refund_amount')
      const { status, amount_due, transaction_id, order_reference } = expectMembers(payment, 'payment')
      expectEqual(status, 'refunded', 'payment.status')
      expectEqual(minorUnits(amount_due, 'payment.amount_due'), 0, 'payment.amount_due')
      expectEqual(transaction_id, paid.transaction_id, 'payment.transaction_id')
      expectEqual(order_reference, 'order-8', 'payment.order_reference')
    },
    { needs },
  ),
  check(
    'PAY-061 PAY-067',
    'A late cancellation refunds what was paid without the fee',
    async (c) => {
      const service = paidAndCancelable(c, 'at_booking', ({ late_cancellation_fee: fee = 0 }, price) =>
        Number(fee) > 0 ? Number(fee) < price : false,
      )
      const booking = await bookLate(c, service, lateWindowOf(service))
      await pay(c, booking)
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount, fee } = expectMembers(cancellation, 'cancellation')
      const expected = minorUnits(cancellationOf(service).late_cancellation_fee, 'late_cancellation_fee')
      expectEqual(minorUnits(fee, 'cancellation.fee'), expected, 'cancellation.fee')
      const rest = amountDueOf(booking) - expected
      expectEqual(minorUnits(refund_amount, 'refund_amount'), rest, 'cancellation.refund_amount')
      expectEqual(expectMembers(payment, 'payment').status, 'partially_refunded', 'payment.status')
    },
    { needs },
  ),
  check(
    'PAY-062',
    'A late fee at or above the paid deposit refunds nothing',
    async (c) => {
      const service = c.service('appointment with a deposit and a late fee that is not lower', (one) => {
        const { late_cancellation_fee: fee = 0, allowed } = cancellationOf(one)
        const { deposit, amount } = (one.pricing ?? {}) as Members & { deposit?: Members }
        const isPart = deposit?.type === 'percentage' && Number(fee) * 100 >= Number(amount) * Number(deposit.value)
        return one.type === 'appointment' && isPaid(one, 'deposit_required') && allowed === true && isPart
      })
      const booking = await bookLate(c, service, lateWindowOf(service))
      const before = expectMembers((await pay(c, booking)).payment, 'payment')
      if (amountDueOf(booking) > minorUnits(cancellationOf(service).late_cancellation_fee, 'late_cancellation_fee'))
        throw new Skip('The deposit with its tax is above the late fee.')
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount } = expectMembers(cancellation, 'cancellation')
      expectEqual(minorUnits(refund_amount, 'refund_amount'), 0, 'cancellation.refund_amount')
      expectEqual(expectMembers(payment, 'payment').status, before.status, 'payment.status')
      await eventWith(c.platform.hosted, { event: 'booking.canceled', booking_id: booking.id })
      await sleep(SETTLE_MS)
      const isSent = namesOfEvents(c.platform.hosted, booking).includes('booking.refund_issued')
      expectEqual(isSent, false, 'whether a refund is sent')
    },
    { needs },
  ),
  check(
    'PAY-064',
    'A deposit that is not refundable is kept',
    async (c) => {
      const service = c.service('service with a deposit that is not refundable', (one) => {
        const { deposit } = (one.pricing ?? {}) as { deposit?: Members }
        return isPaid(one, 'deposit_required') && deposit?.refundable === false
      })
      const { booking } = await c.book(service)
      await pay(c, booking)
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount } = expectMembers(cancellation, 'cancellation')
      expectEqual(minorUnits(refund_amount, 'refund_amount'), 0, 'cancellation.refund_amount')
      expectEqual(expectMembers(payment, 'payment').status, 'deposit_paid', 'payment.status')
    },
    { needs },
  ),
  check(
    'PAY-065 PAY-066',
    'A cancellation before the payment refunds nothing and sends no event of a refund',
    async (c) => {
      const { hosted } = c.platform
      const { booking } = await c.book(paidAndCancelable(c, 'at_booking', () => true))
      const { cancellation, payment } = await cancelBooking(c, booking)
      const { refund_amount } = expectMembers(cancellation, 'cancellation')
      expectEqual(minorUnits(refund_amount, 'refund_amount'), 0, 'cancellation.refund_amount')
      const { status, amount_due } = expectMembers(payment, 'payment')
      expectTrue(!String(status).includes('refunded'), 'another payment.status than a refund', status)
      expectEqual(minorUnits(amount_due, 'payment.amount_due'), 0, 'payment.amount_due')
      await eventWith(hosted, { event: 'booking.canceled' })
      await sleep(SETTLE_MS)
      expectEqual(namesOfEvents(hosted, booking).includes('booking.refund_issued'), false, 'whether a refund is sent')
    },
    { needs },
  ),
  check(
    'PAY-063',
    'A cancellation by the staff refunds everything without a fee, also a late one',
    async (c) => {
      const { staff } = c
      if (!staff.cancel) throw new Skip('The staff adapter cannot cancel bookings.')
      const service = paidAndCancelable(c, 'at_booking', ({ late_cancellation_fee: fee = 0 }) => Number(fee) > 0)
      const booking = await bookLate(c, service, lateWindowOf(service))
      await pay(c, booking)
      await staff.cancel(String(booking.id))
      const canceled = { event: 'booking.canceled', booking_id: booking.id }
      const { event } = await eventWith(c.platform.hosted, canceled)
      const { cancellation, payment } = expectMembers(event.data, 'data')
      const { refund_amount, fee } = expectMembers(cancellation, 'cancellation')
      expectEqual(minorUnits(refund_amount, 'refund_amount'), amountDueOf(booking), 'cancellation.refund_amount')
      expectEqual(minorUnits(fee ?? 0, 'cancellation.fee'), 0, 'cancellation.fee')
      expectEqual(expectMembers(payment, 'payment').status, 'refunded', 'payment.status')
    },
    { needs },
  ),
]

const cancellationOf = (service: Members): Members => (policiesOf(service).cancellation ?? {}) as Members

function lateWindowOf(service: Members) {
  const { free_cancellation_until, no_cancellation_after } = cancellationOf(service)
  return { freeUntil: free_cancellation_until, possibleUntil: no_cancellation_after }
}

const amountDueOf = ({ payment }: Members): number =>
  minorUnits(expectMembers(payment, 'payment').amount_due, 'payment.amount_due')

function paidAndCancelable(
  c: CheckContext,
  timing: PaymentTiming,
  fits: (cancellation: Members, price: number) => boolean,
): Members {
  return c.service(`appointment with the payment timing ${timing} and a fitting cancellation policy`, (service) => {
    const cancellation = cancellationOf(service)
    const { amount } = (service.pricing ?? {}) as Members
    const isFit = cancellation.allowed === true && fits(cancellation, Number(amount))
    return service.type === 'appointment' && isPaid(service, timing) && isFit
  })
}
