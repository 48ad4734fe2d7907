import { type RawBuilder, sql } from 'kysely'

/**
 * The times that PostgreSQL can read. A business can send `valid_until` with the offset +20:00, which PostgreSQL
 * refuses.
 */
const READABLE = '^\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-](0\\d|1[0-5])(:?[0-5]\\d)?)$'

const VALID_UNTIL = sql`body #>> '{availability_hint,valid_until}'`

/**
 * Makes an SQL condition that is true if the index has free starts of a service, but the hint with these starts has
 * expired. The TypeScript function `usableHint` does the same check.
 */
export const hasExpired = (at: number): RawBuilder<boolean> =>
  sql`case
    when ruler_from is null then false
    when ruler_from + (ruler_count - 1) * ruler_interval < ${at}::bigint then true
    when ${VALID_UNTIL} ~ ${READABLE} then (${VALID_UNTIL})::timestamptz <= ${new Date(at)}::timestamptz
    else false end`

/**
 * Makes an SQL query for the indexed services whose hint has expired, but which the recount has not updated yet. The
 * index on `recount_at` contains these services, so the query reads few rows.
 */
export const expiredServices = (at: number): RawBuilder<unknown> =>
  sql`(
    select * from indexed_services where recount_at <= ${new Date(at)}::timestamptz and ${hasExpired(at)}
  ) indexed_services`
