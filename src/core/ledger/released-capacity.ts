import { sql } from 'kysely'
import { isRequirementRefused } from '../../infra/db/pending-statements.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'

/** Whether the database refused released capacity, because the waitlist has priority for it. */
export const isWaitlistPriorityRefusal = (error: unknown): boolean =>
  isRequirementRefused(error) && error.message === 'line_first'

/**
 * Deletes all expired claims and seats. Also locks further resources in the same step, so that all transactions lock
 * resources in one order.
 */
export async function deleteExpired(tx: UnitOfWork, resources: readonly string[], now: Date): Promise<void> {
  tx.markReleased()
  await sql`select end_lapsed(${resources}::text[], ${now}::timestamptz)`.execute(tx)
}
