import { sql } from 'kysely'
import { resourcesLock } from '../../../core/ledger/resource-claims.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { BusinessRefusal, isRefusal, reworded } from '../../../protocol/errors.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { lockAndExpire } from '../../bookings/lock-and-save-booking.ts'
import { MOST_TIMES } from './booking-series-times.ts'

/**
 * Locks a booking and the later bookings of its series, and returns the bookings that the filter `can` accepts,
 * earliest first. Also locks the resources of these bookings and the given `resources`.
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
    // Another transaction may have changed the booking just before this lock. For example, it may have moved the
    // booking to an earlier time.
    if (row && row.starts_at >= from && can(row)) rows.push(row)
  }
  // The server locks all resources of the series in one statement and in a fixed order, which prevents deadlocks.
  await resourcesLock(tx, [...new Set([...resources, ...rows.flatMap(({ resource_ids }) => resource_ids)])])
  return rows
}

/**
 * Runs a function for one booking of a series. If the server refuses this booking, the error message names the start of
 * the booking. The error then rolls back the changes of the whole series.
 */
export async function attemptInSeries(
  tx: UnitOfWork,
  { start, nothing, path }: { start: string; nothing: string; path: string },
  work: () => Promise<BookingRow>,
): Promise<BookingRow> {
  try {
    const row = await work()
    // Sends the queued SQL statements to the database now, so that a conflict causes an error for this booking and not
    // for a later one.
    await tx.flush()
    return row
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw reworded(error, `${nothing} ${start}: ${error.message}`, path)
  }
}
