import { saveBooking } from '../bookings/change-booking.ts'
import { bookingsOfBuyer } from '../bookings/queries.ts'
import type { BookingRow } from '../bookings/record.ts'
import type { Database } from '../db/database.ts'

/** Whoever gets the better time they queued for may give the earlier booking back without a fee. */
export async function waiveFee(tx: Database, made: BookingRow, now: Date): Promise<void> {
  for (const earlier of await bookingsOfBuyer(tx, made))
    await saveBooking(
      tx,
      earlier,
      { record: { ...earlier.record, fee_waived: true } },
      { actor: 'system', action: 'waive_fee', detail: { for: made.id } },
      now,
    )
}
