import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  collectedOf,
  keptAmountOf,
  type Payment,
  refundedOf,
  statusOf,
  toPayment,
  withReceipt,
  withRefund,
} from '../../src/domain/pricing/payment-amounts.ts'

const sum = fc.integer({ min: 1, max: 1_000_000 })
/** What becomes due is paid, and some of what is kept goes back, again and again. */
const steps = fc.array(
  fc.oneof(fc.record({ due: sum }), fc.record({ back: fc.double({ min: 0, max: 1, noNaN: true }) })),
  {
    maxLength: 12,
  },
)

function after(payment: Payment, step: { due: number } | { back: number }, nth: number): Payment {
  if ('back' in step) return withRefund(payment, Math.floor(keptAmountOf(payment) * step.back))
  const receipt = { id: `pay_${nth}`, amount: step.due, returned: 0, received_at: '2026-11-20T12:00:00.000Z' }
  return withReceipt({ ...payment, due: step.due }, { ...receipt, transaction_id: `txn_${nth}` })
}

const start: Payment = {
  timing: 'at_booking',
  currency: 'USD',
  amount: 1000,
  tax: 0,
  due: 1000,
  items: [],
  received: [],
}

test('[payments are rows] what came in is what is kept and what went back, of each payment and of all', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      let payment = start
      taken.forEach((step, nth) => {
        const before = payment
        payment = after(before, step, nth)
        expect(collectedOf(payment)).toBe(keptAmountOf(payment) + refundedOf(payment))
        expect(keptAmountOf(payment)).toBeGreaterThanOrEqual(0)
        for (const [index, { id, amount, returned }] of payment.received.entries()) {
          expect(returned).toBeGreaterThanOrEqual(before.received[index]?.returned ?? 0)
          expect(returned).toBeLessThanOrEqual(amount)
          if (before.received[index]) expect(before.received[index].id).toBe(id)
        }
        if ('back' in step)
          expect(keptAmountOf(before) - keptAmountOf(payment)).toBe(Math.floor(keptAmountOf(before) * step.back))
        else expect(keptAmountOf(payment) - keptAmountOf(before)).toBe(step.due)
      })
    }),
  )
})

test('[PAY-067] what went back the last time is still told after a cancellation that gives nothing back', () => {
  const kept = withRefund(after(start, { due: 1000 }, 0), 300)
  expect(toPayment(withRefund(kept, 0), 'UTC')).toMatchObject({ refund_amount: 300, refund_total: 300 })
  expect(toPayment(withRefund(kept, 200), 'UTC')).toMatchObject({ refund_amount: 200, refund_total: 500 })
})

test('[PAY-067] [payment status tells what is held] the name of a payment and its sums never disagree', () => {
  fc.assert(
    fc.property(steps, fc.option(sum), (taken, due) => {
      const payment = { ...taken.reduce(after, start), due: due ?? 0 }
      const { amount_paid = 0, refund_total = 0, transactions = [] } = toPayment(payment, 'America/New_York')
      const status = statusOf(payment)
      expect(status === 'refunded').toBe(refund_total > 0 && refund_total === amount_paid && due === null)
      if (status === 'pending') expect(amount_paid).toBe(refund_total)
      if (status === 'paid') expect([refund_total, payment.due]).toEqual([0, 0])
      if (status === 'partially_refunded') expect(0 < refund_total && refund_total < amount_paid).toBe(true)
      expect(transactions.reduce((total, { amount }) => total + amount, 0)).toBe(amount_paid)
      expect(transactions.reduce((total, { refund_total: one = 0 }) => total + one, 0)).toBe(refund_total)
    }),
  )
})

test('[payments are rows] more than is kept cannot go back', () => {
  const payment = after(start, { due: 500 }, 0)
  expect(() => withRefund(payment, 501)).toThrow()
  expect(() => withRefund(withRefund(payment, 500), 1)).toThrow()
  expect(() => withRefund(payment, -1)).toThrow()
})
