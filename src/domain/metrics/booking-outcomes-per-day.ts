import { type RawBuilder, sql } from 'kysely'
import { isUnexpired } from '../bookings/booking-row.ts'
import type { Measure } from './metric-query.ts'

/**
 * The possible outcomes of holds (reservations of a slot), bookings, waitlist offers and waitlist entries. The server
 * also reports outcomes with a count of zero, so that the monitoring system notices the first occurrence.
 */
const endings = {
  hold: ['expired'],
  booking: ['unanswered', 'lapsed', 'declined', 'canceled', 'completed', 'no_show'],
  offer: ['lapsed', 'declined', 'accepted'],
  entry: ['lapsed', 'left'],
}
const known = Object.entries(endings).flatMap(([kind, outcomes]) => outcomes.map((outcome) => ({ kind, outcome })))

/**
 * An SQL expression for the outcome of an expired booking. `unanswered`: the staff did not answer in time. `lapsed`:
 * the buyer did not complete a payment or a task in time.
 */
const late = (status: string) => sql`case ${sql.ref(status)} when 'pending' then 'unanswered' else 'lapsed' end`

/**
 * Counts the holds, bookings, waitlist offers and waitlist entries that ended in the last 24 hours, on all servers. An
 * expired item counts once, even before the server has changed its stored status. An imported booking does not count on
 * the day of its import, because it may have ended earlier.
 */
export const ended: Measure = {
  gauges: {
    ended: {
      name: 'usp_ended_day',
      help: 'Holds, bookings, waitlist offers and waitlist entries that ended in the last 24 hours, by kind and outcome',
    },
  },
  labels: ['kind', 'outcome'],
  query: (now) => sql`
    with recursive ${auditLogOfDay(now)}, one_by_one as (
      select 'hold' as kind, 'expired' as outcome from holds
      where status = 'active' and expires_at > ${dayBefore(now)} and expires_at <= ${now}
      union all
      select 'booking', ${late('status')} from bookings where expires_at <= ${now} and not ${isUnexpired(now)}
      union all
      select case status when 'offered' then 'offer' else 'entry' end, 'lapsed' from waitlist_entries
      where over_at <= ${now}
      union all
      select 'booking', case action when 'expire' then ${late('from_status')} when 'decline' then 'declined' else to_status end
      from of_day where subject like 'booking %'
        and subject not in (select subject from of_day where action = 'create' and detail ->> 'source' is not null)
      union all
      select 'offer', case to_status when 'expired' then 'lapsed' when 'accepted' then 'accepted' else 'declined' end
      from of_day where subject like 'entry %' and from_status = 'offered'
      union all
      select 'entry', case to_status when 'expired' then 'lapsed' when 'removed' then 'left' end
      from of_day where subject like 'entry %' and from_status = 'waiting'
    ), counted as (
      select kind, outcome, count(*)::integer as ended from one_by_one group by kind, outcome
    )
    select kind, outcome, coalesce(ended, 0) as ended
    from json_to_recordset(${JSON.stringify(known)}::json) as known (kind text, outcome text)
    left join counted using (kind, outcome)`,
}

const dayBefore = (now: Date): RawBuilder<Date> => sql`(${now}::timestamptz - interval '1 day')`

/** The query of the audit log looks only at every thousandth entry to find the first entry of the last 24 hours. */
const STRIDE = 1_000

/**
 * The SQL that selects the status changes of the last 24 hours from the audit log. The log has no index on time, but
 * its entries are numbered in the order of time. Therefore the query first looks at every thousandth entry, newest
 * first, until an entry is older than 24 hours.
 */
const auditLogOfDay = (now: Date): RawBuilder<unknown> => sql`
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
