import { changeInsert } from '../../core/records/audit-log.ts'
import type { Change } from '../../infra/db/change.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { feesWaive } from '../bookings/queries.ts'

/** Whoever gets the better time they queued for may give the earlier booking back without a fee. */
export async function waiveFee(tx: Change, made: BookingRow, now: Date): Promise<void> {
  const entry = { actor: 'system', action: 'waive_fee', detail: { for: made.id } }
  for (const { id, status } of await feesWaive(tx, made, now))
    changeInsert(tx, { ...entry, subject: `booking ${id}`, from: status, to: status }, now)
}
