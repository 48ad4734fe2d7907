import { sql } from 'kysely'
import { rangeOf } from '../../core/ledger/resource-claims.ts'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { BusyTime, Span } from './reader/busy-time-list.ts'
import type { ObjectTime } from './reader/read-reports.ts'

/**
 * Replaces the busy times of a source. The database writes only the differences, under the lock of the resource. The
 * time that becomes free goes to the waitlist first.
 */
export async function busyTimesWrite(
  tx: UnitOfWork,
  source: string,
  times: readonly (BusyTime | ObjectTime)[],
): Promise<void> {
  const events = times.map(({ event }) => Buffer.from(event))
  const spans = times.map(rangeOf)
  const keys = (name: 'collection' | 'object') =>
    times.map((time) => ('object' in time ? Buffer.from(time[name]) : null))
  const { rows } = await sql<{ changed: boolean | null }>`
    select write_calendar_times(${source}, ${events}::bytea[], ${spans}::tstzrange[], ${keys('collection')}::bytea[],
      ${keys('object')}::bytea[]) as changed`.execute(tx)
  if (rows[0]?.changed) tx.markReleased()
}

/** Lists the stored busy times of an account. */
export async function objectTimes(db: Database, source: string): Promise<ObjectTime[]> {
  const { rows } = await sql<ObjectTime>`
    select event, collection, object, extract(epoch from lower(during))::float8 * 1000 as from,
      extract(epoch from upper(during))::float8 * 1000 as to
    from busy_times where source_id = ${source} and object is not null`.execute(db)
  return rows
}

/**
 * Leaves out events that this server has written itself. A person can have them in another calendar too, for example
 * from an invitation. If they came back as busy times, a booking would stand in its own way.
 */
export async function withoutOwnEvents<Time extends BusyTime>(db: Database, times: readonly Time[]): Promise<Time[]> {
  const uids = [...new Set(times.flatMap(({ ownUid }) => ownUid ?? []))]
  if (uids.length === 0) return [...times]
  const { rows } = await sql<{ id: string }>`
    select id from bookings where id = any (${uids}::text[]) union all
    select id from sessions where id = any (${uids}::text[]) union all
    select id from blocks where id = any (${uids}::text[])`.execute(db)
  const own = new Set(rows.map(({ id }) => id))
  return times.filter(({ ownUid }) => ownUid === undefined || !own.has(ownUid))
}

export interface BusySpan {
  resource_id: string
  from: number
  to: number
}

/**
 * Lists when resources are busy in other calendars within the range. Busy times of one resource that overlap or touch
 * are one entry.
 */
export async function busySpans(
  db: Database,
  { range, resources }: { range: Span; resources?: readonly string[] },
): Promise<BusySpan[]> {
  const { rows } = await sql<BusySpan>`
    select resource_id, extract(epoch from lower(span))::float8 * 1000 as from,
      extract(epoch from upper(span))::float8 * 1000 as to
    from (
      select resource_id, unnest(range_agg(during)) as span from busy_times
      where ${resources === undefined ? sql`true` : sql`resource_id = any (${resources}::text[])`}
        and during && ${rangeOf({ from: range[0], to: range[1] })}::tstzrange
      group by resource_id
    ) busy order by lower(span), resource_id`.execute(db)
  return rows
}
