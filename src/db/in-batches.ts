import type { QueryResult } from 'kysely'

/** Rows deleted by one statement: more could exceed the statement timeout, and then none would be deleted. */
export const BATCH = 1_000

/** Deletes batch after batch, until one is not full. */
export async function inBatches(takeAway: () => Promise<QueryResult<unknown>>): Promise<void> {
  while ((await takeAway()).numAffectedRows === BigInt(BATCH));
}
