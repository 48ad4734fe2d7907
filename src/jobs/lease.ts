import { sql } from 'kysely'

/**
 * Whoever works on something has it leased, by the clock of the database, since servers may differ in theirs. It says every
 * so often that it is still at it; what was leased by a process that died is anybody's after that.
 */
export const LEASED = sql<Date>`now() + interval '5 seconds'`

/** Milliseconds from one word that it is still worked on to the next. */
export const PULSE = 1_000

/** Of a row with a `leased_until`: whether nobody is at it. */
export const isFree = (table: string) => {
  const until = sql.ref(`${table}.leased_until`)
  return sql<boolean>`(${until} is null or ${until} <= now())`
}
