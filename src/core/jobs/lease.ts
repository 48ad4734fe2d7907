import { type RawBuilder, sql } from 'kysely'

/**
 * The end of a lease, by the clock of the database, since the clocks of servers differ. The process renews the lease
 * while it works. The lease of a dead process expires.
 */
export const LEASED = sql<Date>`now() + interval '5 seconds'`

export const RENEWED_EVERY_MS = 1_000

/** Whether no process has leased the row. `column` stores the end of the lease. */
export const isFree = (table: string, column = 'leased_until') => {
  const until = sql.ref(`${table}.${column}`)
  return sql<boolean>`(${until} is null or ${until} <= now())`
}

/** Most starts without an end before an item has to wait. A start has no end when the server crashes. */
const MAX_CRASHED_STARTS = 3

export const hasFewStarts = (begun: RawBuilder<unknown>) => sql<boolean>`${begun} < ${sql.lit(MAX_CRASHED_STARTS)}`

/**
 * When an item is due again if its process dies. The first two times it stays due. Then it waits 15 seconds, doubled each
 * time up to a day. The server never gives it up, since most crashes have other causes.
 */
export const dueAfterCrash = (due: RawBuilder<unknown>, begun: RawBuilder<unknown>, now: Date) =>
  sql<Date>`case when ${begun} < ${sql.lit(MAX_CRASHED_STARTS - 1)} then ${due}
    else ${now}::timestamptz + least(interval '1 day', interval '15 seconds' * power(2, least(${begun} - ${sql.lit(MAX_CRASHED_STARTS - 1)}, 13))) end`
