import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, deleteInBatches } from '../../infra/db/delete-in-batches.ts'
import { MINUTE } from '../../infra/time/time-units.ts'

/**
 * How long expired claims and seats stay in the database, in milliseconds. A claim that has expired on this server can
 * still be valid on another server with a slower clock.
 */
const CLOCK_SKEW_MS = MINUTE

/**
 * Deletes expired claims and seats in batches. Keeps expired claims that a later booking has already replaced, and
 * skips locked rows.
 */
export async function cleanUpLedger(db: Database, now: Date): Promise<void> {
  const lapsed = new Date(now.getTime() - CLOCK_SKEW_MS)
  const claims = sql`
    delete from claims where id in (
      select id from claims where expires_at <= ${lapsed} order by expires_at limit ${BATCH} for update skip locked
    )`
  const seats = sql`
    delete from seats where (holder_kind, holder_id, session_id) in (
      select holder_kind, holder_id, session_id from seats
      where expires_at <= ${lapsed} order by expires_at limit ${BATCH} for update skip locked
    )`
  await deleteInBatches(() => claims.execute(db))
  await deleteInBatches(() => seats.execute(db))
}
