import type { BookingRow } from '../bookings/record.ts'
import type { Database } from '../db/database.ts'
import { receiptsLeft, refundInsert } from './queries.ts'

/**
 * Whatever a change of the booking refunds is sent back the way it came, as far as it came through a provider of ours:
 * what a platform collected, or the staff, they give back themselves.
 */
export async function queueRefund(tx: Database, before: BookingRow, after: BookingRow, now: Date): Promise<void> {
  const refunded = ({ record: { payment } }: BookingRow) => payment?.refunded ?? 0
  let open = refunded(after) - refunded(before)
  if (open <= 0) return
  for (const { reference, left } of await receiptsLeft(tx, after.id)) {
    const amount = Math.min(left, open)
    if (amount <= 0) return
    await refundInsert(tx, { receipt: reference, amount, reason: `${before.status} to ${after.status}` }, now)
    open -= amount
  }
}
