import { sql } from 'kysely'
import type { Measure } from './metric-query.ts'

/** The query counts at most this many rows, so that it stays fast. An alarm needs no higher number. */
const MAX_COUNTED = 100_000

const age = (now: Date, since: string) => sql`extract(epoch from ${now}::timestamptz - ${sql.raw(since)})::float8`

export const waiting: Measure = {
  gauges: {
    waiting: {
      name: 'usp_waiting',
      help: `Events, mails and refunds that wait, by kind; counts at most ${MAX_COUNTED} of each`,
    },
    oldest: {
      name: 'usp_waiting_oldest_seconds',
      // A text message that waits until the quiet hours end is no reason for an alarm.
      help: 'Age in seconds of the oldest waiting event, mail or refund, by kind; 0 if none waits',
    },
  },
  labels: ['kind'],
  query: (now) => sql`
    select 'events' as kind,
      (select count(*) from (select from deliveries where status = 'waiting' limit ${MAX_COUNTED}) d)::integer as waiting,
      coalesce((select ${age(now, 'e.at')} from deliveries d join events e on e.id = d.event_id
        where d.first and d.status = 'waiting' order by d.id limit 1), 0) as oldest
    union all select 'mails',
      (select count(*) from (select from mails where status = 'waiting' limit ${MAX_COUNTED}) m)::integer,
      coalesce((select ${age(now, 'created_at')} from mails
        where first and status = 'waiting' and (channel <> 'text' or attempts > 0 or next_at <= ${now})
        order by created_at limit 1), 0)
    union all select 'refunds', count(*)::integer, coalesce(${age(now, 'min(created_at)')}, 0)
      from refunds where status = 'waiting'`,
}

/** Counts events and mails that the server no longer tries to send, and that the staff have not dismissed yet. */
export const undelivered: Measure = {
  gauges: {
    undelivered: {
      name: 'usp_given_up',
      help: `Undelivered events and mails in the inbox of the desk, by kind; counts at most ${MAX_COUNTED} of each`,
    },
  },
  labels: ['kind'],
  query: () => sql`
    select 'events' as kind, (select count(*) from (select from deliveries
      where status = 'given_up' and dismissed_at is null limit ${MAX_COUNTED}) d)::integer as undelivered
    union all select 'mails', (select count(*) from (select from mails
      where status = 'given_up' and dismissed_at is null and snapshot is not null limit ${MAX_COUNTED}) m)::integer`,
}
