import { type QueryResult, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DB } from './schema.generated.ts'

/**
 * The maximum number of rows that one statement deletes. A statement with more rows could exceed the time limit for
 * statements, and would then delete nothing.
 */
export const BATCH = 1_000

export async function deleteInBatches(takeAway: () => Promise<QueryResult<unknown>>): Promise<void> {
  while ((await takeAway()).numAffectedRows === BigInt(BATCH));
}

/** Deletes all rows of a table that are older than `instant`. The time column must have an index. */
export const deleteBefore = <T extends keyof DB>(
  db: Database,
  table: T,
  column: keyof DB[T] & string,
  instant: Date,
): Promise<void> =>
  deleteInBatches(() =>
    sql`
      delete from ${sql.table(table)} where ctid in (
        select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${instant}
        order by ${sql.ref(column)} limit ${BATCH} for update skip locked
      )`.execute(db),
  )
