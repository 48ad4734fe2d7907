import { isDeposit, leftForVisit, type Payment } from '../payments/payment.ts'
import type { BookingRow } from './booking-row.ts'
import { isOver } from './lifecycle.ts'

/** Whether the visit is still to come, so a payment at the visit can be due. */
export const isAhead = ({ status }: Pick<BookingRow, 'status'>): boolean => !isOver(status)

export const restBesideDeposit = (payment: Payment | undefined): number =>
  isDeposit(payment) ? leftForVisit(payment) : 0

/** The rest of the price after the deposit, in minor units. Undefined if there is none or the booking is over. */
export function restAtVisit(
  booking: Pick<BookingRow, 'record' | 'status'>,
): { amount: number; currency: string } | undefined {
  const { payment } = booking.record
  const amount = restBesideDeposit(payment)
  return payment && amount > 0 && isAhead(booking) ? { amount, currency: payment.currency } : undefined
}
