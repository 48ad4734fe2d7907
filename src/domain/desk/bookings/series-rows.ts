import { sql } from 'kysely'
import { resourcesLock } from '../../../core/ledger/claims.ts'
import type { Change } from '../../../infra/db/change.ts'
import { Outcome } from '../../../protocol/errors.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { lockAndExpire } from '../../bookings/change-booking.ts'
import { MOST_TIMES } from './series-times.ts'

/**
 * A booking and those of its series that begin later, as far as something can be done with them; the first first. They are locked,
 * with what they take up and may take up.
 */
export async function lockFollowing(
  tx: Change,
  { series, starts_at: from }: BookingRow,
  { can, resources = [] }: { can: (row: BookingRow) => boolean; resources?: readonly string[] },
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
  // All at once and in one order, so that nobody waits for one of them while they are waited for.
  await resourcesLock(tx, [...new Set([...resources, ...rows.flatMap(({ resource_ids }) => resource_ids)])])
  return rows
}

/** Does something to one of a series, and says which one it was that could not be had: then nothing is done to any. */
export async function oneOfAll(
  tx: Change,
  { start, nothing, path }: { start: string; nothing: string; path: string },
  work: () => Promise<BookingRow>,
): Promise<BookingRow> {
  try {
    const row = await work()
    // Whether it is free shows now, while it is known which it was to be.
    await tx.sendGathered()
    return row
  } catch (error) {
    if (!(error instanceof Outcome)) throw error
    throw new Outcome(error.code, `${nothing} ${start}: ${error.message}`, path)
  }
}
