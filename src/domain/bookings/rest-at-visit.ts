import { isDeposit, leftForVisit, type Payment } from '../payments/payment.ts'
import type { BookingRow } from './booking-row.ts'
import { isOver } from './lifecycle.ts'

/** Whether what is paid at the visit is still to come: of what was canceled or missed it is not. */
export const isAhead = ({ status }: Pick<BookingRow, 'status'>): boolean => !isOver(status)

/** What remains of the price beside the deposit. */
export const restBesideDeposit = (payment: Payment | undefined): number =>
  isDeposit(payment) ? leftForVisit(payment) : 0

/** What is to be paid at the visit beside the deposit, in minor units; nothing where that is all, or over. */
export function restAtVisit(
  booking: Pick<BookingRow, 'record' | 'status'>,
): { amount: number; currency: string } | undefined {
  const { payment } = booking.record
  const amount = restBesideDeposit(payment)
  return payment && amount > 0 && isAhead(booking) ? { amount, currency: payment.currency } : undefined
}
