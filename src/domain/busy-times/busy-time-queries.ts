import { sql } from 'kysely'
import { rangeOf } from '../../core/ledger/resource-claims.ts'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { BusyTime, Span } from './reader/busy-time-list.ts'
import type { ObjectTime } from './reader/read-reports.ts'

/** Which stored busy times of an account stay after a read. All others end, unless the read contains them. */
export interface KeptTimes {
  /** The digests of calendars that the server has not read whole. Their times stay, except for `ended`. */
  collections: readonly string[]
  /** The digests of changed and deleted objects and events in these calendars. */
  ended: readonly string[]
  /** The digests of objects that the server cannot read. Their times stay in any case. */
  objects: readonly string[]
}

const NONE: KeptTimes = { collections: [], ended: [], objects: [] }

/**
 * Stores the busy times of a source. The database writes only the differences, under the lock of the resource. The time
 * that becomes free goes to the waitlist first.
 */
export async function busyTimesWrite(
  tx: UnitOfWork,
  source: string,
  times: readonly (BusyTime | ObjectTime)[],
  kept: KeptTimes = NONE,
): Promise<void> {
  const events = times.map(({ event }) => Buffer.from(event))
  const spans = times.map(rangeOf)
  const keys = (name: 'collection' | 'object') =>
    times.map((time) => ('object' in time ? Buffer.from(time[name]) : null))
  const [collections, objects, ended] = [kept.collections, kept.objects, kept.ended].map((digests) =>
    digests.map((digest) => Buffer.from(digest, 'hex')),
  )
  const { rows } = await sql<{ changed: boolean | null }>`
    select store_calendar_times(${source}, ${events}::bytea[], ${spans}::tstzrange[], ${keys('collection')}::bytea[],
      ${keys('object')}::bytea[], ${collections}::bytea[], ${objects}::bytea[], ${ended}::bytea[]) as changed`.execute(
    tx,
  )
  if (rows[0]?.changed) tx.markReleased()
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
