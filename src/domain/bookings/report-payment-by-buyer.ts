import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { allocationKeep } from './allocate-booking-slot.ts'
import { isClaimed } from './booking-amounts-owed.ts'
import { type BookingRow, isBeingChecked } from './booking-row.ts'
import { awaits } from './buyer-tasks.ts'
import { cancel } from './cancel-and-refund.ts'
import { deadline } from './cancel-and-reschedule-rules.ts'
import { lockAndExpire, saveBooking } from './lock-and-save-booking.ts'

/**
 * Records the buyer's report of a manual payment, such as a bank transfer, and notifies the staff once. The booking
 * then keeps its slot until the staff decide, but not beyond its start. A repeated report changes nothing. A report
 * also changes nothing if no payment is due.
 */
export async function claimPayment(tx: UnitOfWork, id: string, now: Date): Promise<BookingRow | undefined> {
  const booking = await lockAndExpire(tx, id, undefined, now)
  if (!booking || !awaits(booking, 'payment') || isClaimed(booking) || isBeingChecked(booking, now)) return booking
  const record = { ...booking.record, payment_claimed_at: now.toISOString() }
  const expires_at = booking.expires_at && deadline(booking.status, { ...booking, record }, now)
  // Servers can have slightly different clocks. If the clock of another server is ahead, that server may already have
  // expired the booking and released its slot.
  if (!(await allocationKeep(tx, booking, expires_at, now)))
    return cancel(tx, booking, { by: 'system', actor: 'system', action: 'expire' }, now)
  const change = { record, expires_at, release_at: null }
  return saveBooking(tx, booking, { change, by: { actor: 'buyer', action: 'claim_payment' } }, now)
}
