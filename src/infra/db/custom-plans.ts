import { sql } from 'kysely'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * Runs work that inserts thousands of rows, and plans each statement for the current size of its tables. PostgreSQL
 * caches the plans of triggers: a plan for a small table reads the whole table for each inserted row.
 */
export async function withCustomPlans(tx: UnitOfWork, work: () => Promise<unknown>): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
  await work()
  await sql`set local plan_cache_mode = auto`.execute(tx)
}
