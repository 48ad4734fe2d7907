import { sql } from 'kysely'

/**
 * Work is leased by the clock of the database, since those of servers may differ. The process renews the lease while it works;
 * what a dead process had leased is free again when the lease ends.
 */
export const LEASED = sql<Date>`now() + interval '5 seconds'`

/** Milliseconds from one renewal of a lease to the next. */
export const RENEWED_EVERY_MS = 1_000

/** Of a row with a `leased_until`: whether no process has it leased. */
export const isFree = (table: string) => {
  const until = sql.ref(`${table}.leased_until`)
  return sql<boolean>`(${until} is null or ${until} <= now())`
}
