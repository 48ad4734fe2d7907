import { sql } from 'kysely'
import { isRequirementRefused } from '../../infra/db/pending-statements.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'

/** Whether the database refused to let a buyer book a released time, because the waitlist has priority. */
export const isWaitlistPriorityRefusal = (error: unknown): boolean =>
  isRequirementRefused(error) && error.message === 'line_first'

/**
 * Deletes all expired claims and seats. Locks the given resources in the same statement, because all transactions must
 * lock resources in one order.
 */
export async function deleteExpired(tx: UnitOfWork, resources: readonly string[], now: Date): Promise<void> {
  tx.markReleased()
  await sql`select end_lapsed(${resources}::text[], ${now}::timestamptz)`.execute(tx)
}
