import { money } from '../../../infra/util/money.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { isUnresolved } from '../../bookings/lifecycle.ts'
import { keptAmountOf, type Payment, withRefund } from '../../payments/payment.ts'

const tooMuch = (payment: Payment | undefined, left: number) =>
  payment === undefined || left === 0
    ? 'Nothing can be refunded: this server received no money for the booking, or all of it was refunded.'
    : `At most ${left} can be refunded, which is ${money(left, payment.currency)}.`

/** The payment after a refund of this amount. Without an amount, the refund is the whole rest. */
export function refundOf(
  { status, record: { payment } }: BookingRow,
  wished: number | undefined,
  path: string,
): { payment: Payment; refund: number } {
  const left = keptAmountOf(payment)
  if (isUnresolved(status))
    throw new BusinessRefusal(
      'invalid_transition',
      'The booking still has open actions. Cancel it to refund the payment.',
    )
  const refund = wished ?? left
  if (!payment || refund > left) throw new BusinessRefusal('validation_error', tooMuch(payment, left), path)
  return { payment: withRefund(payment, refund), refund }
}
