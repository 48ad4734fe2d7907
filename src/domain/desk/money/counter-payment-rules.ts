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

/** The highest possible tip, in minor units such as cents. A higher tip is probably a typing error. */
export const MOST_TIP = 100_000_000

const isPayable = ({ status }: Pick<BookingRow, 'status'>): boolean =>
  status === 'confirmed' || status === 'in_progress' || status === 'completed'

export const takesTip = (booking: BookingRow): boolean => isPayable(booking) || awaits(booking, 'payment')

/**
 * Returns the amount that the buyer can pay at the counter, in minor units such as cents. If the buyer owes a no-show
 * fee, the amount is this fee. Otherwise, it is the due amount plus the rest that is payable at the visit.
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
 * Returns the amount of a payment at the counter if the staff enter no amount. If the buyer still owes a deposit, the
 * amount is only the deposit, because the rest of the price is a separate payment.
 */
export function defaultAmount(booking: BookingRow): number {
  const { payment } = booking.record
  const isAtVisit = payment?.timing === 'at_service' || owedFee(booking) !== undefined
  return isAtVisit ? openAtCounter(booking) : Math.min(payment?.due ?? 0, openAtCounter(booking))
}

/**
 * Computes the effect of a payment at the counter. The result contains the purpose of the payment, the new payment data
 * of the booking, and the amount that remains due. A payment above the due amount also pays the part of the price that
 * is payable at the visit.
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
