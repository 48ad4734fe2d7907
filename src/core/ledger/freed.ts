import { sql } from 'kysely'
import type { Change } from '../../infra/db/change.ts'
import { isRefusal } from '../../infra/db/pending-statements.ts'

/** Tells if the database refused released capacity because the waitlist has priority. */
export const isWaitlistFirst = (error: unknown): boolean => isRefusal(error) && error.message === 'line_first'

/** Deletes all expired claims and seats. In the same step it locks these further resources, which keeps one lock order. */
export async function lapsedEnd(tx: Change, resources: readonly string[], now: Date): Promise<void> {
  tx.frees()
  await sql`select end_lapsed(${resources}::text[], ${now}::timestamptz)`.execute(tx)
}
