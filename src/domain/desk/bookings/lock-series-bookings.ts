import { sql } from 'kysely'
import { resourcesLock } from '../../../core/ledger/resource-claims.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { BusinessRefusal, isRefusal, reworded } from '../../../protocol/errors.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { lockAndExpire } from '../../bookings/lock-and-save-booking.ts'
import { MOST_TIMES } from './booking-series-times.ts'

/**
 * Locks a booking and those later bookings of its series for which `can` returns true, earliest first. Also locks the
 * resources that these bookings use, and the given `resources`.
 */
export async function lockFollowing(
  tx: UnitOfWork,
  { series, starts_at: from }: BookingRow,
  { can, resources = [] }: { can: (row: BookingRow) => boolean; resources?: readonly string[] },
  now: Date,
): Promise<BookingRow[]> {
  if (series === null) throw new BusinessRefusal('invalid_transition', 'This booking belongs to no series.')
  const { rows: following } = await sql<{ id: string }>`
    select id from bookings where series = ${series} and starts_at >= ${from}
    order by starts_at, id limit ${MOST_TIMES}`.execute(tx)
  const rows: BookingRow[] = []
  for (const { id } of following) {
    const row = await lockAndExpire(tx, id, undefined, now)
    // Before this lock, another transaction may have moved the booking to an earlier time, or started or ended it.
    if (row && row.starts_at >= from && can(row)) rows.push(row)
  }
  // To prevent deadlocks, the server locks all resources of the series in one statement and in a fixed order.
  await resourcesLock(tx, [...new Set([...resources, ...rows.flatMap(({ resource_ids }) => resource_ids)])])
  return rows
}

/**
 * Runs a function for one booking of a series. If the booking is refused, the error message names its start, and the
 * server rolls back the changes of the whole series.
 */
export async function attemptInSeries(
  tx: UnitOfWork,
  { start, nothing, path }: { start: string; nothing: string; path: string },
  work: () => Promise<BookingRow>,
): Promise<BookingRow> {
  try {
    const row = await work()
    // Sends the queued SQL statements to the database now, so that a conflict is reported for the start that causes it.
    await tx.flush()
    return row
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw reworded(error, `${nothing} ${start}: ${error.message}`, path)
  }
}
