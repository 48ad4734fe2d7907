import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { awaits } from '../bookings/buyer-tasks.ts'
import { completePayment } from '../bookings/complete-buyer-task.ts'
import { lockAndExpire } from '../bookings/lock-and-save-booking.ts'
import type { ReceivedPayment } from '../payments/payment-provider.ts'
import { type CheckoutRow, isPaymentReported, paymentAttributeToProvider, refundInsert } from '../payments/queries.ts'
import { purposeOf, recordPayment } from '../payments/record-payment.ts'
import type { Payment } from '../pricing/payment-amounts.ts'

/**
 * Records a payment that the payment provider received for a booking. If the buyer paid too much, the server refunds
 * the excess. If the payment is too low, too late, in another currency or not due, the server refunds the whole
 * payment. A second report of the same payment changes nothing.
 */
export async function receivePayment(
  tx: UnitOfWork,
  checkout: Pick<CheckoutRow, 'booking_id' | 'provider' | 'reference'>,
  received: ReceivedPayment,
  now: Date,
): Promise<void> {
  const { booking_id, provider } = checkout
  const { reference, amount, currency } = received
  const booking = await lockAndExpire(tx, booking_id, undefined, now)
  if (!booking) throw new Error(`Money came in for ${booking_id}, which is gone`)
  if (await isPaymentReported(tx, provider, reference)) return
  const { payment } = booking.record
  // If a platform has reported the same payment earlier, the server does not record it again. It only stores that the
  // provider received the payment.
  const reported = payment?.received.find(isOf([reference, checkout.reference], amount))
  if (reported) return paymentAttributeToProvider(tx, reported.id, { provider, reference })
  const paid = payment && pays(booking, payment, received, now) ? payment : undefined
  const purpose = paid ? purposeOf(paid) : 'nothing_due'
  const report = { amount, currency, purpose, source: 'provider', reported_by: `provider:${provider}` } as const
  const receipt = await recordPayment(tx, booking, { ...report, transaction_id: reference, provider }, now)
  if (!receipt) return
  if (paid) {
    const recorded = { ...receipt, returned: amount - paid.due }
    return void (await completePayment(tx, booking, { payment: paid, receipt: recorded, actor: 'buyer' }, now))
  }
  await refundInsert(tx, { payment: receipt.id, amount, reason: 'not due' }, now)
  insertAuditEntry(tx, returned(booking, received), now)
}

const isOf =
  (names: (string | null)[], sum: number) =>
  ({ transaction_id, amount }: Payment['received'][number]): boolean =>
    transaction_id !== undefined && names.includes(transaction_id) && amount === sum

const pays = (booking: BookingRow, { due, currency }: Payment, received: ReceivedPayment, now: Date): boolean =>
  awaits(booking, 'payment') &&
  received.amount >= due &&
  received.currency === currency &&
  isInTime(booking, received, now)

/**
 * Tells whether the buyer paid in time. The payment is in time if it reached the server before the end of the time to
 * pay. It is also in time if, by the clock of the provider, the buyer paid before the end.
 */
const isInTime = ({ expires_at }: BookingRow, { paidAt }: ReceivedPayment, now: Date): boolean =>
  expires_at === null || now < expires_at || (paidAt !== undefined && paidAt < expires_at)

const returned = ({ id, status }: BookingRow, detail: ReceivedPayment) => ({
  actor: 'system',
  action: 'return_payment',
  subject: `booking ${id}`,
  from: status,
  to: status,
  detail,
})
