import type { BookingPayment } from '../protocol/types.generated.ts'
import type { Payment } from './record.ts'

export const takesPayment = (payment: Payment | undefined): payment is Payment =>
  payment !== undefined && payment.timing !== 'at_service'

/** What came in and has not gone back. */
export const netOf = (payment: Payment | undefined): number => (payment ? payment.collected - payment.refunded : 0)

export function toPayment({ timing, ...payment }: Payment): BookingPayment {
  const { amount, currency, due, tax, deposit, transaction_id, order_reference } = payment
  return {
    status: statusOf({ timing, ...payment }),
    timing,
    amount,
    currency,
    amount_due: due,
    ...(tax > 0 && { tax_amount: tax }),
    ...(deposit !== undefined && { deposit_amount: deposit }),
    ...(transaction_id !== undefined && { transaction_id }),
    ...(order_reference !== undefined && { order_reference }),
  }
}

export function statusOf(payment: Payment): BookingPayment['status'] {
  const { timing, collected, refunded, due, amount, tax, deposit = amount + tax } = payment
  if (timing === 'at_service' || (deposit === 0 && collected === 0)) return 'not_required'
  if (refunded > 0 && due === 0) return refunded >= collected ? 'refunded' : 'partially_refunded'
  if (collected === 0 || due > 0) return 'pending'
  return timing === 'deposit_required' ? 'deposit_paid' : 'paid'
}

/** What is due has come in. */
export const collected = (payment: Payment, paid: Partial<Payment>): Payment => ({
  ...payment,
  ...paid,
  collected: payment.collected + payment.due,
  due: 0,
  items: [],
})

/** Some of what came in goes back; nothing is due any more. */
export const refunded = (payment: Payment, amount: number): Payment => ({
  ...payment,
  refunded: payment.refunded + amount,
  due: 0,
  items: [],
})
