import { sql } from 'kysely'
import { isRequirementRefused } from '../../infra/db/pending-statements.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'

/** Tells if the database refused released capacity because the waitlist has priority. */
export const isWaitlistPriorityRefusal = (error: unknown): boolean =>
  isRequirementRefused(error) && error.message === 'line_first'

/** Deletes all expired claims and seats. In the same step it locks these further resources, which keeps one lock order. */
export async function deleteExpired(tx: UnitOfWork, resources: readonly string[], now: Date): Promise<void> {
  tx.markReleased()
  await sql`select end_lapsed(${resources}::text[], ${now}::timestamptz)`.execute(tx)
}
