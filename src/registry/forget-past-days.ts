import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * A day that is over is not the next free one, and would stand before all others for as long as its business says nothing
 * new. Yesterday is left: somewhere it is still today.
 */
export async function forgetPastDays(db: Database, now: Date): Promise<void> {
  await sql`
    update indexed_services set next_available_date = null
    where coalesce(next_available_date, 'infinity') < (${now}::timestamptz at time zone 'UTC')::date - 1`.execute(db)
}
