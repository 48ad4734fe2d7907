import { sql } from 'kysely'
import type { Change } from './change.ts'

/**
 * Runs work that inserts thousands of rows, with each statement planned for the size that its tables have by then. PostgreSQL keeps
 * the plans of a trigger: one that was made for a table of a few rows reads all of it for each row that is inserted.
 */
export async function withCustomPlans(tx: Change, work: () => Promise<unknown>): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
  await work()
  await sql`set local plan_cache_mode = auto`.execute(tx)
}
