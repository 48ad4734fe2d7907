import type { QueryResult } from 'kysely'

/** Rows that are taken away by one statement: more take longer than a statement may, and then none of them would go. */
export const PORTION = 1_000

/** Takes away portion after portion, until there is no whole one left. */
export async function inPortions(takeAway: () => Promise<QueryResult<unknown>>): Promise<void> {
  while ((await takeAway()).numAffectedRows === BigInt(PORTION));
}
