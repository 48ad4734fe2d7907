import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for the end of a new lease. The database computes this time, because the clocks of servers differ. A process
 * renews its leases while it works, so a lease expires only if the process dies.
 */
export const LEASED = sql<Date>`now() + interval '5 seconds'`

export const RENEWED_EVERY_MS = 1_000

/**
 * SQL condition for a queue row that no process works on now. The given column contains the time when the last lease
 * ends.
 */
export const isFree = (table: string, column = 'leased_until') => {
  const until = sql.ref(`${table}.${column}`)
  return sql<boolean>`(${until} is null or ${until} <= now())`
}

/**
 * After this number of crashes during work on a queue row, the row must wait before the next try. A crash is a start of
 * the work without an end.
 */
const MAX_CRASHED_STARTS = 3

export const hasFewStarts = (begun: RawBuilder<unknown>) => sql<boolean>`${begun} < ${sql.lit(MAX_CRASHED_STARTS)}`

/**
 * SQL that computes when a queue row is due again if its process crashes. After the first two crashes, the row is due
 * at once. After the third crash, it waits 15 seconds, and each later crash doubles the wait, up to a day. The server
 * never gives the row up, because most crashes have other causes.
 */
export const dueAfterCrash = (due: RawBuilder<unknown>, begun: RawBuilder<unknown>, now: Date) =>
  sql<Date>`case when ${begun} < ${sql.lit(MAX_CRASHED_STARTS - 1)} then ${due}
    else ${now}::timestamptz + least(interval '1 day', interval '15 seconds' * power(2, least(${begun} - ${sql.lit(MAX_CRASHED_STARTS - 1)}, 13))) end`
