import { sql } from 'kysely'
import { isRequirementRefused } from '../../infra/db/pending-statements.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'

/** Whether the database refused a claim, because the time has become free and the buyers on the waitlist come first. */
export const isWaitlistPriorityRefusal = (error: unknown): boolean =>
  isRequirementRefused(error) && error.message === 'line_first'

/**
 * Deletes all expired claims and places. The same SQL function also locks the given people and rooms, because all
 * transactions must lock resources in the same order.
 */
export async function deleteExpired(tx: UnitOfWork, resources: readonly string[], now: Date): Promise<void> {
  tx.markReleased()
  await sql`select end_lapsed(${resources}::text[], ${now}::timestamptz)`.execute(tx)
}
