import { money } from '../../infra/util/money.ts'
import type { Message, NoShow } from '../../protocol/types.generated.ts'
import { type Payment, refundsOf } from '../payments/payment.ts'
import type { BookingRow } from './booking-row.ts'
import { owedFee } from './owed-fee.ts'

/** Messages about refunds and fees, which the status alone does not show. */
export function moneyNotes(booking: BookingRow): Message[] {
  const { payment } = booking.record
  const fee = owedFee(booking)
  return [...(payment ? refundNote(payment) : []), ...(fee ? [feeNote(fee)] : [])]
}

const feeNote = ({ amount_due, currency }: NoShow): Message => ({
  type: 'info',
  code: 'no_show_fee_due',
  content: `The buyer did not come and owes the business ${money(amount_due, currency)}.`,
  path: '$.no_show.amount_due',
})

function refundNote(payment: Payment): Message[] {
  const { refund_amount, refund_total } = refundsOf(payment)
  if (refund_amount === undefined || refund_total === undefined) return []
  const amount = money(refund_amount, payment.currency)
  const total = refund_amount === refund_total ? '' : `, ${money(refund_total, payment.currency)} in all`
  return [
    {
      type: 'info',
      code: 'refund_issued',
      content: `${amount} is refunded to the buyer${total}.`,
      path: '$.payment.refund_amount',
    },
  ]
}
