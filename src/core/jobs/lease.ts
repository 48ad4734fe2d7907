import { type RawBuilder, sql } from 'kysely'

/**
 * Work is leased by the clock of the database, since those of servers may differ. The process renews the lease while it works;
 * what a dead process had leased is free again when the lease ends.
 */
export const LEASED = sql<Date>`now() + interval '5 seconds'`

/** Milliseconds from one renewal of a lease to the next. */
export const RENEWED_EVERY_MS = 1_000

/** Whether no process has it leased: a row, by its column that says until when. */
export const isFree = (table: string, column = 'leased_until') => {
  const until = sql.ref(`${table}.${column}`)
  return sql<boolean>`(${until} is null or ${until} <= now())`
}

/** How often work is begun that had no end, as when its server dies of it, before it is left alone for a while. */
const BEGUN = 3

/** Whether it was begun less often than that. */
export const isFresh = (begun: RawBuilder<unknown>) => sql<boolean>`${begun} < ${sql.lit(BEGUN)}`

/**
 * When an item is due again if its process dies over it. The first two times it stays due; then it waits 15 seconds, twice as long each
 * time, up to a day. It is never given up: most processes die of something else.
 */
export const dueAgain = (due: RawBuilder<unknown>, begun: RawBuilder<unknown>, now: Date) =>
  sql<Date>`case when ${begun} < ${sql.lit(BEGUN - 1)} then ${due}
    else ${now}::timestamptz + least(interval '1 day', interval '15 seconds' * power(2, least(${begun} - ${sql.lit(BEGUN - 1)}, 13))) end`
