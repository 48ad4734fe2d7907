import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { eventWith, namesOfEvents } from '../events/received-events.ts'
import {
  bookPaidAhead,
  cancelBooking,
  confirmPayment,
  minorUnits,
  pay,
  paymentResult,
  policiesOf,
  readBooking,
} from './payment-scene.ts'

const needs = ['services.availability', 'services.bookings']
const INVALID = { rest: 422, mcp: -32602 }

export const paymentConfirmationChecks = [
  check(
    'PAY-034 PAY-036 REV-005',
    'The exact payment confirms the booking, and gives it a new revision',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const sent = { transaction_id: `txn_${crypto.randomUUID()}`, order_reference: 'order-7', provider: 'conformance' }
      const answer = await confirmPayment(c, booking, paymentResult(booking, sent))
      const paid = expectMembers(answer.success().booking, 'booking')
      expectEqual(paid.status, 'confirmed', 'status')
      expectTrue(paid.revision !== booking.revision, 'a new revision', paid.revision)
      for (const { payment, revision } of [paid, await readBooking(c, booking)]) {
        expectEqual(revision, paid.revision, 'revision')
        const { status, amount_due, transaction_id, order_reference } = expectMembers(payment, 'payment')
        expectEqual(status, 'paid', 'payment.status')
        expectEqual(minorUnits(amount_due, 'payment.amount_due'), 0, 'payment.amount_due')
        expectEqual(transaction_id, sent.transaction_id, 'payment.transaction_id')
        expectEqual(order_reference, sent.order_reference, 'payment.order_reference')
      }
    },
    { needs },
  ),
  check(
    'PAY-035 PAY-036',
    'The paid deposit confirms the booking, and the price stays',
    async (c) => {
      const { booking, payment } = await bookPaidAhead(c, 'deposit_required')
      const { status, payment: paid } = await pay(c, booking)
      expectEqual(status, 'confirmed', 'status')
      const after = expectMembers(paid, 'payment')
      expectEqual(after.status, 'deposit_paid', 'payment.status')
      expectEqual(after.amount, payment.amount, 'payment.amount')
      expectEqual(minorUnits(after.amount_due, 'payment.amount_due'), 0, 'payment.amount_due')
    },
    { needs },
  ),
  check(
    'PAY-040',
    'A report of a payment without a required member is refused',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const whole = paymentResult(booking)
      for (const name of ['status', 'transaction_id', 'amount_paid', 'currency']) {
        const { [name]: _, ...incomplete } = whole
        const answer = await confirmPayment(c, booking, incomplete)
        answer.failsWith('invalid_request', { rest: 400, mcp: -32600 })
      }
      const answer = await confirmPayment(c, booking, undefined)
      answer.failsWith('invalid_request', { rest: 400, mcp: -32600 })
      expectEqual((await readBooking(c, booking)).status, 'requires_action', 'the status afterwards')
    },
    { needs },
  ),
  check(
    'LIV-011 LIV-047 LIV-049',
    'The amount of a payment may be decimal digits, and another form or status is refused',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const { amount_due } = expectMembers(booking.payment, 'payment')
      for (const changes of [
        { status: 'refunded' },
        { amount_paid: Number(amount_due) + 0.5 },
        { amount_paid: '3.5e4' },
        { amount_paid: '1,000' },
        { amount_paid: `+${amount_due}` },
        { amount_paid: `${amount_due}.0` },
      ]) {
        const answer = await confirmPayment(c, booking, paymentResult(booking, changes))
        answer.failsWith('validation_error', INVALID)
      }
      const { status } = await pay(c, booking, { amount_paid: String(amount_due) })
      expectEqual(status, 'confirmed', 'the status after a payment in decimal digits')
    },
    { needs },
  ),
  check(
    'LIV-011',
    'The status `deposit_paid` for a whole price is refused, and `paid` for a deposit',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const wrong = await confirmPayment(c, booking, paymentResult(booking, { status: 'deposit_paid' }))
      wrong.failsWith('validation_error', INVALID)
      const { booking: deposit } = await bookPaidAhead(c, 'deposit_required')
      const whole = await confirmPayment(c, deposit, paymentResult(deposit, { status: 'paid' }))
      whole.failsWith('validation_error', INVALID)
    },
    { needs },
  ),
  check(
    'PAY-042 PAY-043',
    'Another amount or currency is refused and changes nothing',
    async (c) => {
      const { booking, payment } = await bookPaidAhead(c)
      const due = minorUnits(payment.amount_due, 'payment.amount_due')
      for (const changes of [
        { amount_paid: due - 1 },
        { amount_paid: due + 1 },
        { currency: payment.currency === 'CHF' ? 'NOK' : 'CHF' },
      ]) {
        const answer = await confirmPayment(c, booking, paymentResult(booking, changes))
        const { severity, path } = answer.refusedWith('payment_amount_mismatch')
        expectEqual(severity, 'requires_buyer_input', 'the severity')
        if ('currency' in changes) expectTrue(String(path).includes('currency'), 'a path to the currency', String(path))
      }
      const after = await readBooking(c, booking)
      expectEqual(after.status, booking.status, 'the status afterwards')
      expectEqual(after.payment, booking.payment, 'the payment afterwards')
    },
    { needs },
  ),
  check(
    'PAY-045',
    'A second payment of a confirmed booking changes nothing and sends no event',
    async (c) => {
      const { hosted } = c.platform
      const { booking } = await bookPaidAhead(c)
      const first = paymentResult(booking)
      ;(await confirmPayment(c, booking, first)).success()
      const again = await confirmPayment(c, booking, { ...first, transaction_id: 'txn_second' })
      const repeated = expectMembers(again.success().booking, 'booking')
      expectEqual(repeated.status, 'confirmed', 'status')
      const { transaction_id } = expectMembers(repeated.payment, 'payment')
      expectEqual(transaction_id, first.transaction_id, 'payment.transaction_id')
      const message = again.messages.find(({ code }) => code === 'already_confirmed')
      expectEqual(message?.type, 'info', 'the type of the message already_confirmed')
      await cancelBooking(c, booking)
      await eventWith(hosted, { event: 'booking.canceled', booking_id: booking.id })
      const confirmed = namesOfEvents(hosted, booking).filter((name) => name === 'booking.confirmed')
      expectTrue(confirmed.length <= 1, 'one event booking.confirmed', confirmed)
    },
    { needs },
  ),
  check(
    'PAY-048 LIV-012',
    'A repeated report with its idempotency key gives the stored answer, and another amount a conflict',
    async (c) => {
      const { booking, payment } = await bookPaidAhead(c)
      const options = { idempotencyKey: crypto.randomUUID() }
      const payment_result = paymentResult(booking)
      const report = (result: Members) =>
        c.caller.call('confirmPayment', { booking_id: booking.id, payment_result: result }, options)
      const first = (await report(payment_result)).success()
      const again = (await report(payment_result)).success()
      expectEqual(again.booking, first.booking, 'the booking of the repeated report')
      const other = await report({ ...payment_result, amount_paid: Number(payment.amount_due) + 1 })
      other.failsWith('idempotency_conflict', { rest: 409, mcp: -32602 })
    },
    { needs },
  ),
  check(
    'PAY-050',
    'Two reports at the same time complete the payment once',
    async (c) => {
      const { hosted } = c.platform
      const { booking } = await bookPaidAhead(c)
      const results = [paymentResult(booking), paymentResult(booking)]
      const answers = await Promise.all(results.map((result) => confirmPayment(c, booking, result)))
      const ids = answers.map((answer) => {
        const { status, payment } = expectMembers(answer.success().booking, 'booking')
        expectEqual(status, 'confirmed', 'status')
        return expectMembers(payment, 'payment').transaction_id
      })
      expectEqual(ids[0], ids[1], 'the transaction of the second answer')
      expectTrue(
        results.some(({ transaction_id }) => transaction_id === ids[0]),
        'a reported transaction',
        ids,
      )
      await cancelBooking(c, booking)
      await eventWith(hosted, { event: 'booking.canceled', booking_id: booking.id })
      const confirmed = namesOfEvents(hosted, booking).filter((name) => name === 'booking.confirmed')
      expectEqual(confirmed.length, 1, 'the number of events booking.confirmed')
    },
    { needs },
  ),
  check(
    'PAY-051',
    'Unknown members of a reported payment are ignored',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const { status } = await pay(c, booking, { provider: 'nobody-knows', shoe_size: 42 })
      expectEqual(status, 'confirmed', 'status')
    },
    { needs },
  ),
  check(
    'LIV-068 LIV-016',
    'A payment of a canceled or pending booking is refused',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      await cancelBooking(c, booking)
      const late = await confirmPayment(c, booking, paymentResult(booking))
      expectEqual(late.refusedWith('invalid_transition').severity, 'unrecoverable', 'the severity')
      expectEqual((await readBooking(c, booking)).status, 'canceled', 'the status of the canceled booking')
      const manual = c.services.find(
        (service) => service.type === 'appointment' && policiesOf(service).confirmation_mode === 'manual',
      )
      if (!manual) return
      const { booking: pending } = await c.book(manual)
      const result = { status: 'paid', transaction_id: 'txn_early', amount_paid: 0, currency: 'USD' }
      ;(await confirmPayment(c, pending, result)).refusedWith('invalid_transition')
      expectEqual((await readBooking(c, pending)).status, 'pending', 'the status of the pending booking')
    },
    { needs },
  ),
]
