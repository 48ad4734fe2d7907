import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectMembers, expectTrue, inCase } from '../../run/expectations.ts'
import { isManual } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { bookingOf, cancelBooking, readBooking } from '../transactions/slots-and-bookings.ts'
import {
  bookPaidAhead,
  confirmPayment,
  eventsUntilCancellation,
  expectAmount,
  minorUnits,
  needs,
  pay,
  paymentResult,
} from './payment-steps.ts'

export const paymentConfirmationChecks = [
  check(
    'PAY-034 PAY-036 REV-005',
    'A report of the exact payment confirms the booking and changes its revision',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const sent = { transaction_id: `txn_${crypto.randomUUID()}`, order_reference: 'order-7', provider: 'conformance' }
      const paid = await pay(c, booking, sent)
      expectEqual(paid.status, 'confirmed', 'status')
      expectTrue(paid.revision !== booking.revision, 'a new revision', paid.revision)
      for (const { payment, revision } of [paid, await readBooking(c, booking)]) {
        expectEqual(revision, paid.revision, 'revision')
        const { status, amount_due, transaction_id, order_reference } = expectMembers(payment, 'payment')
        expectEqual(status, 'paid', 'payment.status')
        expectAmount(amount_due, 0, 'payment.amount_due')
        expectEqual(transaction_id, sent.transaction_id, 'payment.transaction_id')
        expectEqual(order_reference, sent.order_reference, 'payment.order_reference')
      }
    },
    { needs },
  ),
  check(
    'PAY-035 PAY-036',
    'A report of the deposit payment confirms the booking, but does not change its price',
    async (c) => {
      const { booking, payment } = await bookPaidAhead(c, 'deposit_required')
      const { status, payment: paid } = await pay(c, booking)
      expectEqual(status, 'confirmed', 'status')
      const after = expectMembers(paid, 'payment')
      expectEqual(after.status, 'deposit_paid', 'payment.status')
      expectEqual(after.amount, payment.amount, 'payment.amount')
      expectAmount(after.amount_due, 0, 'payment.amount_due')
    },
    { needs },
  ),
  check(
    'PAY-040',
    'The server refuses a payment report without a required member',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const whole = paymentResult(booking)
      for (const name of ['status', 'transaction_id', 'amount_paid', 'currency']) {
        const { [name]: _, ...incomplete } = whole
        const answer = await confirmPayment(c, booking, incomplete)
        inCase(`a report without ${name}`, () => answer.failsWith('invalid_request'))
      }
      ;(await confirmPayment(c, booking, undefined)).failsWith('invalid_request')
      expectEqual((await readBooking(c, booking)).status, 'requires_action', 'the status after the refused reports')
    },
    { needs },
  ),
  check(
    'LIV-011 LIV-047 LIV-049',
    'The server accepts a paid amount as a string of digits, and refuses other forms and statuses',
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
        inCase(JSON.stringify(changes), () => answer.failsWith('validation_error'))
      }
      const { status } = await pay(c, booking, { amount_paid: String(amount_due) })
      expectEqual(status, 'confirmed', 'the status after a payment with a string of digits')
    },
    { needs },
  ),
  check(
    'LIV-011',
    'The server refuses the status deposit_paid for a whole price, and the status paid for a deposit',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const wrong = await confirmPayment(c, booking, paymentResult(booking, { status: 'deposit_paid' }))
      wrong.failsWith('validation_error')
      const { booking: deposit } = await bookPaidAhead(c, 'deposit_required')
      const whole = await confirmPayment(c, deposit, paymentResult(deposit, { status: 'paid' }))
      whole.failsWith('validation_error')
    },
    { needs },
  ),
  check(
    'PAY-042 PAY-043',
    'The server refuses a payment with another amount or currency, and changes nothing',
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
      expectEqual(after.status, booking.status, 'the status after the refused reports')
      expectEqual(after.payment, booking.payment, 'the payment after the refused reports')
    },
    { needs },
  ),
  check(
    'PAY-045',
    'A second payment report for a confirmed booking changes nothing and causes no event',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const first = paymentResult(booking)
      ;(await confirmPayment(c, booking, first)).success()
      const again = await confirmPayment(c, booking, { ...first, transaction_id: 'txn_second' })
      const repeated = bookingOf(again)
      expectEqual(repeated.status, 'confirmed', 'status')
      const { transaction_id } = expectMembers(repeated.payment, 'payment')
      expectEqual(transaction_id, first.transaction_id, 'payment.transaction_id')
      const message = again.messages.find(({ code }) => code === 'already_confirmed')
      expectEqual(message?.type, 'info', 'the type of the message already_confirmed')
      const events = await eventsUntilCancellation(c, booking)
      const confirmed = events.filter((name) => name === 'booking.confirmed')
      expectTrue(confirmed.length <= 1, 'at most one event booking.confirmed', confirmed)
    },
    { needs },
  ),
  check(
    'PAY-048 LIV-012',
    'A payment report repeated with its idempotency key gets the stored answer; another amount gets a conflict',
    async (c) => {
      const { booking, payment } = await bookPaidAhead(c)
      const options = { idempotencyKey: crypto.randomUUID() }
      const result = paymentResult(booking)
      const report = (changes: Members = {}) => confirmPayment(c, booking, { ...result, ...changes }, options)
      const first = (await report()).success()
      const again = (await report()).success()
      expectEqual(again.booking, first.booking, 'the booking of the repeated report')
      const other = await report({ amount_paid: Number(payment.amount_due) + 1 })
      other.failsWith('idempotency_conflict')
    },
    { needs },
  ),
  check(
    'PAY-050',
    'Two simultaneous payment reports complete the payment once',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const results = [paymentResult(booking), paymentResult(booking)]
      const answers = await Promise.all(results.map((result) => confirmPayment(c, booking, result)))
      const ids = answers.map((answer) => {
        const { status, payment } = bookingOf(answer)
        expectEqual(status, 'confirmed', 'status')
        return expectMembers(payment, 'payment').transaction_id
      })
      expectEqual(ids[0], ids[1], 'the transaction of the second answer')
      const reported = results.map(({ transaction_id }) => transaction_id)
      expectTrue(reported.includes(ids[0]), 'a reported transaction', ids)
      const events = await eventsUntilCancellation(c, booking)
      const confirmed = events.filter((name) => name === 'booking.confirmed')
      expectEqual(confirmed.length, 1, 'the number of events booking.confirmed')
    },
    { needs },
  ),
  check(
    'PAY-051',
    'The server ignores unknown members of a payment report',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const { status } = await pay(c, booking, { provider: 'nobody-knows', shoe_size: 42 })
      expectEqual(status, 'confirmed', 'status')
    },
    { needs },
  ),
  check(
    'LIV-068 LIV-016',
    'The server refuses a payment report for a canceled or pending booking',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      await cancelBooking(c, booking)
      const late = await confirmPayment(c, booking, paymentResult(booking))
      expectEqual(late.refusedWith('invalid_transition').severity, 'unrecoverable', 'the severity')
      expectEqual((await readBooking(c, booking)).status, 'canceled', 'the status of the canceled booking')
      const manual = c.services.find((service) => service.type === 'appointment' && isManual(service))
      if (!manual) return
      const { booking: pending } = await c.book(manual)
      const result = { status: 'paid', transaction_id: 'txn_early', amount_paid: 0, currency: 'USD' }
      ;(await confirmPayment(c, pending, result)).refusedWith('invalid_transition')
      expectEqual((await readBooking(c, pending)).status, 'pending', 'the status of the pending booking')
    },
    { needs },
  ),
]
