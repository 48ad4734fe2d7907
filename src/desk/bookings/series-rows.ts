import { sql } from 'kysely'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { lockAndExpire } from '../../bookings/change-booking.ts'
import type { Change } from '../../db/change.ts'
import { resourcesLock } from '../../ledger/claims.ts'
import { Outcome } from '../../protocol/errors.ts'
import { MOST_TIMES } from './series-times.ts'

/** A booking and those of its series that begin later, as far as something can be done with them; locked, the first first. */
export async function lockFollowing(
  tx: Change,
  { series, starts_at: from }: BookingRow,
  can: (row: BookingRow) => boolean,
  now: Date,
): Promise<BookingRow[]> {
  if (series === null) throw new Outcome('invalid_transition', 'It belongs to no series: nothing follows it.')
  const { rows: following } = await sql<{ id: string }>`
    select id from bookings where series = ${series} and starts_at >= ${from}
    order by starts_at, id limit ${MOST_TIMES}`.execute(tx)
  const rows: BookingRow[] = []
  for (const { id } of following) {
    const row = await lockAndExpire(tx, id, undefined, now)
    // Until it was locked it may have been moved to before, begun, or ended.
    if (row && row.starts_at >= from && can(row)) rows.push(row)
  }
  await resourcesLock(tx, [...new Set(rows.flatMap(({ resource_ids }) => resource_ids))])
  return rows
}
