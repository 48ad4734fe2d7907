import { type RawBuilder, sql } from 'kysely'

export const dayBefore = (now: Date): RawBuilder<Date> => sql`(${now}::timestamptz - interval '1 day')`

/** Audit log entries skipped in one step. */
const STRIDE = 1_000

/**
 * Status changes in the audit log of the last 24 hours, as `of_day`, for a recursive `with`.
 * The log has no index on time. Entries are numbered in order, so the query checks one in a thousand, from the newest
 * back, until one is older.
 */
export const auditLogOfDay = (now: Date): RawBuilder<unknown> => sql`
  looked_at (number) as (
    select max(number) from changes
    union all
    select number - ${STRIDE}::integer from looked_at l
    where (select at from changes c where c.number <= l.number order by c.number desc limit 1) > ${dayBefore(now)}
  ), of_day as materialized (
    select subject, action, from_status, to_status, detail from changes
    where number >= (select min(number) from looked_at) and at > ${dayBefore(now)}
      and from_status is distinct from to_status
  )`
