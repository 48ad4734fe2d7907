import { sql } from 'kysely'
import type { Change } from '../../infra/db/change.ts'
import { isRefusal } from '../../infra/db/pending-statements.ts'

/** Whether time or places were refused because they have not been offered to the waitlist yet. */
export const isWaitlistFirst = (error: unknown): boolean => isRefusal(error) && error.message === 'line_first'

/** Takes away everything that has lapsed. What else these resources may be needed for is locked along with it. */
export async function lapsedEnd(tx: Change, resources: readonly string[], now: Date): Promise<void> {
  tx.frees()
  await sql`select end_lapsed(${resources}::text[], ${now}::timestamptz)`.execute(tx)
}
