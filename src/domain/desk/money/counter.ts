import type { BookingRow } from '../../bookings/booking-row.ts'
import { owedFee } from '../../bookings/owed-fee.ts'
import { awaits } from '../../bookings/tasks.ts'
import { purposeOf } from '../../payments/enter-payment.ts'
import { leftForVisit, type Payment } from '../../payments/payment.ts'
import { COUNTER_KINDS, type PaymentRow } from '../../payments/queries.ts'

/** How money came in that the staff took. */
export const receivedBy = {
  kind: { enum: COUNTER_KINDS, description: 'How it was paid.' },
  transaction_id: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'Number of the receipt or the like.',
  },
}

/** No tip is larger, in minor units; whoever slips by a digit or two is told. */
export const MOST_TIP = 100_000_000

/** Whether the booking stands, so that somebody pays for it, or gives a tip. */
const stands = ({ status }: Pick<BookingRow, 'status'>): boolean =>
  status === 'confirmed' || status === 'in_progress' || status === 'completed'

export const takesTip = (booking: BookingRow): boolean => stands(booking) || awaits(booking, 'payment')

/** How much can be paid at the counter: what is due, what is owed since nobody came, and what is paid at the visit. */
export function openAtCounter(booking: BookingRow): number {
  const { payment } = booking.record
  const fee = owedFee(booking)
  if (fee) return fee.amount_due
  if (!payment) return 0
  if (takesTip(booking)) return payment.due + leftForVisit(payment)
  return booking.status === 'no_show' ? payment.due : 0
}

/** The same where no sum is said: what is paid beside a deposit is another payment. */
export function usuallyPaid(booking: BookingRow): number {
  const { payment } = booking.record
  const isAtVisit = payment?.timing === 'at_service' || owedFee(booking) !== undefined
  return isAtVisit ? openAtCounter(booking) : Math.min(payment?.due ?? 0, openAtCounter(booking))
}

/** What the payment was for, whether some of what is paid at the visit came in with it, and what is due after it. */
export function paysOf(
  payment: Payment,
  amount: number,
): { purpose: PaymentRow['purpose']; payment: Payment; rest: number } {
  const visit = amount > payment.due ? leftForVisit(payment) : 0
  const asked: Payment = visit > 0 ? { ...payment, visit_asked: true } : payment
  return {
    purpose: asked.visit_asked ? 'price' : purposeOf(payment),
    payment: asked,
    rest: payment.due + visit - amount,
  }
}
