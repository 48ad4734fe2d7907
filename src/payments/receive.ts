import { lockAndSettle } from '../bookings/change-booking.ts'
import { completePayment } from '../bookings/complete-task.ts'
import type { BookingRow } from '../bookings/record.ts'
import { awaits } from '../bookings/tasks.ts'
import { changeInsert } from '../changes.ts'
import type { Database } from '../db/database.ts'
import type { Received } from './provider.ts'
import { type CheckoutRow, receiptInsert, refundInsert } from './queries.ts'

/**
 * Money has come in for a booking, told once or several times. It pays what is due; what is not due any more, because
 * the booking is over or was paid another way, goes back.
 */
export async function receive(
  tx: Database,
  checkout: Pick<CheckoutRow, 'booking_id' | 'provider' | 'reference'>,
  { reference, amount, currency }: Received,
  now: Date,
): Promise<void> {
  const { booking_id, provider } = checkout
  const booking = await lockAndSettle(tx, booking_id, undefined, now)
  if (!booking) throw new Error(`Money came in for ${booking_id}, which is gone`)
  if (!(await receiptInsert(tx, { reference, provider, booking_id, amount, currency }, now))) return
  const { payment } = booking.record
  if (payment && awaits(booking, 'payment') && payment.due === amount && payment.currency === currency) {
    await completePayment(tx, booking, payment, { transaction_id: reference, provider }, 'buyer', now)
    return
  }
  // A platform may have reported this very payment before the provider did.
  if (payment && isOf(payment.transaction_id, [reference, checkout.reference])) return
  await refundInsert(tx, { receipt: reference, amount, reason: 'not due' }, now)
  await changeInsert(tx, returned(booking, { reference, amount, currency }), now)
}

const isOf = (id: string | undefined, known: (string | null)[]) => id !== undefined && known.includes(id)

const returned = ({ id, status }: BookingRow, detail: Received) => ({
  actor: 'system',
  action: 'return_payment',
  subject: `booking ${id}`,
  from: status,
  to: status,
  detail,
})
