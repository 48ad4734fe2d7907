import { owedFee } from '../../bookings/booking-amounts-owed.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { awaits } from '../../bookings/buyer-tasks.ts'
import { COUNTER_KINDS, type PaymentRow } from '../../payments/queries.ts'
import { purposeOf } from '../../payments/record-payment.ts'
import { leftForVisit, type Payment } from '../../pricing/payment-amounts.ts'

export const paymentMethodInput = {
  kind: { enum: COUNTER_KINDS, description: 'The means of payment.' },
  transaction_id: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'Number of the receipt or similar.',
  },
}

/** A tip is at most this high, in minor units. A higher tip is probably a typing error. */
export const MOST_TIP = 100_000_000

/** Whether buyers can pay or tip for a booking with this status. */
const isPayable = ({ status }: Pick<BookingRow, 'status'>): boolean =>
  status === 'confirmed' || status === 'in_progress' || status === 'completed'

export const takesTip = (booking: BookingRow): boolean => isPayable(booking) || awaits(booking, 'payment')

/**
 * The amount that the buyer can pay at the counter, in minor units such as cents. It is an owed no-show fee, or else
 * the due amount plus the amount to pay at the visit.
 */
export function openAtCounter(booking: BookingRow): number {
  const { payment } = booking.record
  const fee = owedFee(booking)
  if (fee) return fee.amount_due
  if (!payment) return 0
  if (takesTip(booking)) return payment.due + leftForVisit(payment)
  return booking.status === 'no_show' ? payment.due : 0
}

/**
 * The amount of a payment at the counter if the staff enter no amount. If the buyer has to pay a deposit, the rest of
 * the price is a separate payment.
 */
export function defaultAmount(booking: BookingRow): number {
  const { payment } = booking.record
  const isAtVisit = payment?.timing === 'at_service' || owedFee(booking) !== undefined
  return isAtVisit ? openAtCounter(booking) : Math.min(payment?.due ?? 0, openAtCounter(booking))
}

/**
 * Computes what a payment at the counter changes: its purpose, the payment data of the booking, and the amount that
 * remains due. A payment above the due amount also pays the amount for the visit.
 */
export function paymentEffect(
  payment: Payment,
  amount: number,
): { purpose: PaymentRow['purpose']; payment: Payment; rest: number } {
  const visit = amount > payment.due ? leftForVisit(payment) : 0
  const updated: Payment = visit > 0 ? { ...payment, visit_asked: true } : payment
  return {
    purpose: updated.visit_asked ? 'price' : purposeOf(payment),
    payment: updated,
    rest: payment.due + visit - amount,
  }
}
