import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, deleteInBatches } from '../../infra/db/delete-in-batches.ts'
import { MINUTE } from '../../infra/time/time-units.ts'

/**
 * How long expired claims (occupied times) and seats stay in the database, in milliseconds. They stay because they can
 * still be valid on another server with a slower clock.
 */
const CLOCK_SKEW_MS = MINUTE

/**
 * Deletes expired claims (occupied times) and expired seats in batches. Skips rows that another transaction has locked.
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
