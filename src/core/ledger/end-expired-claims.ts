import { sql } from 'kysely'
import { isRequirementRefused } from '../../infra/db/pending-statements.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'

/**
 * Whether the database refused a claim (the occupation of a time) or a seat, because the server must first offer this
 * released capacity to the waitlist.
 */
export const isWaitlistPriorityRefusal = (error: unknown): boolean =>
  isRequirementRefused(error) && error.message === 'line_first'

/**
 * Deletes all expired claims (occupied times) and seats. The same SQL function also locks the given people and rooms,
 * because all transactions must lock resources in the same order.
 */
export async function deleteExpired(tx: UnitOfWork, resources: readonly string[], now: Date): Promise<void> {
  tx.markReleased()
  await sql`select end_lapsed(${resources}::text[], ${now}::timestamptz)`.execute(tx)
}
