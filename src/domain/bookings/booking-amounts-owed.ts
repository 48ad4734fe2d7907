import { type RawBuilder, sql } from 'kysely'
import { money } from '../../infra/util/round-money.ts'
import type { BusinessDefinition, Message, NoShow } from '../../protocol/types.generated.ts'
import { isDeposit, leftForVisit, type Payment, refundsOf } from '../pricing/payment-amounts.ts'
import type { BookingRow } from './booking-row.ts'
import { isOver } from './lifecycle.ts'

/**
 * Tells whether the buyer has reported a manual payment, such as a bank transfer, that the business has not recorded
 * yet. If the business records any payment after the report, the reported payment counts as recorded.
 */
export const isClaimed = ({ record: { payment_claimed_at, payment } }: Pick<BookingRow, 'record'>): boolean =>
  payment_claimed_at !== undefined && !payment?.received.some(({ received_at }) => received_at >= payment_claimed_at)

export const hasClaim: RawBuilder<boolean> = sql<boolean>`
  (record ->> 'payment_claimed_at' is not null and not exists (
    select from json_array_elements(record #> '{payment,received}') as one
    where one ->> 'received_at' >= record ->> 'payment_claimed_at'))`

export const owedFee = ({ record: { no_show } }: Pick<BookingRow, 'record'>): NoShow | undefined =>
  no_show && no_show.amount_due > 0 ? no_show : undefined

/** Returns true until the booking is over. After the end, the buyer no longer owes a payment at the visit. */
export const isAhead = ({ status }: Pick<BookingRow, 'status'>): boolean => !isOver(status)

export const restBesideDeposit = (payment: Payment | undefined): number =>
  isDeposit(payment) ? leftForVisit(payment) : 0

/**
 * Returns the amount that the buyer pays at the visit after a deposit, in minor units such as cents. The result is
 * undefined if the buyer has nothing left to pay or the booking is over.
 */
export function restAtVisit(
  booking: Pick<BookingRow, 'record' | 'status'>,
): { amount: number; currency: string } | undefined {
  const { payment } = booking.record
  const amount = restBesideDeposit(payment)
  return payment && amount > 0 && isAhead(booking) ? { amount, currency: payment.currency } : undefined
}

export function currencyOf(
  { record, service_id }: Pick<BookingRow, 'record' | 'service_id'>,
  definition: BusinessDefinition | undefined,
): string {
  const service = definition?.services.find(({ id }) => id === service_id)
  return (
    record.no_show?.currency ??
    record.payment?.currency ??
    service?.pricing.currency ??
    definition?.business.currency ??
    ''
  )
}

/**
 * Returns messages about the refunds and fees of a booking, because the status of the booking does not show the
 * amounts.
 */
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
