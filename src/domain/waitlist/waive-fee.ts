import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { cancellationFeesWaive } from '../bookings/queries.ts'

/** A buyer who gets a better time from the waitlist may cancel earlier bookings of the service without a fee. */
export async function waiveFee(tx: UnitOfWork, made: BookingRow, now: Date): Promise<void> {
  const entry = { actor: 'system', action: 'waive_fee', detail: { for: made.id } }
  for (const { id, status } of await cancellationFeesWaive(tx, made, now))
    insertAuditEntry(tx, { ...entry, subject: `booking ${id}`, from: status, to: status }, now)
}
