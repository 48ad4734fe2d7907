import { type Selectable, sql } from 'kysely'
import { dueAfterCrash, isFree, LEASED } from '../../core/jobs/row-lease.ts'
import type { Database } from '../../infra/db/database.ts'
import type { CalendarSources } from '../../infra/db/schema.generated.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { DAY } from '../../infra/time/time-units.ts'
import type { AccountState } from './caldav/read-account.ts'
import { endedInsert } from './oauth/ended-calendar-queries.ts'
import type { ProviderState } from './oauth/provider-report.ts'
import { writerRefresh } from './writer-queries.ts'

export type SourceRow = Selectable<CalendarSources>

/** A source in the format of the list. The address stays encrypted, and is not part of it. */
export type ListedSource = Omit<
  SourceRow,
  'address' | 'etag' | 'last_modified' | 'content_digest' | 'sync_state' | 'leased_until' | 'begun'
> & {
  /** The number of busy times in the next 30 days. */
  busy_soon: number
  writing: Writing | null
}

/** The state of the calendar into which the server writes bookings. The times are in ISO format. */
interface Writing {
  calendar: string
  names: boolean
  waiting: number
  written_at: string | null
  problem: string | null
  failing_since: string | null
}

const SOON_DAYS = 30

export async function sourcesList(
  db: Database,
  filter: { resource?: string | undefined; id?: string | undefined },
  now: Date,
): Promise<ListedSource[]> {
  const until = new Date(now.getTime() + SOON_DAYS * DAY)
  const { rows } = await sql<ListedSource>`
    select id, resource_id, kind, name, host, created_by, created_at, read_at, whole_read_at, expanded_until, unread_events,
      pause_seconds, problem, failing_since, failures, next_at, (
        select count(*)::integer from busy_times b
        where b.source_id = s.id and b.during && tstzrange(${now}, ${until})) as busy_soon, (
        select jsonb_build_object('calendar', w.calendar, 'names', w.names, 'written_at', w.written_at, 'problem', w.problem,
          'failing_since', w.failing_since,
          'waiting', (select count(distinct q.subject) from calendar_writes q where q.writer_id = w.id))
        from calendar_writers w where w.id = s.id and w.calendar is not null) as writing
    from calendar_sources s
    where (${filter.resource ?? null}::text is null or resource_id = ${filter.resource ?? null})
      and (${filter.id ?? null}::text is null or id = ${filter.id ?? null})
    order by resource_id, name, created_at, id`.execute(db)
  return rows
}

export type NewSource = Pick<
  SourceRow,
  'id' | 'resource_id' | 'kind' | 'name' | 'host' | 'address' | 'created_by' | 'created_at'
>

export async function sourceInsert(tx: Database, source: NewSource): Promise<void> {
  await tx
    .insertInto('calendar_sources')
    .values({ ...source, next_at: source.created_at })
    .execute()
}

/** Lets only one transaction at a time connect calendars. The lock lasts until the transaction ends. */
export async function sourcesLock(tx: Database): Promise<void> {
  await sql`lock table calendar_sources in share row exclusive mode`.execute(tx)
}

type StoredAddress = Pick<SourceRow, 'id' | 'resource_id' | 'kind' | 'address'>

export const addressesOf = (db: Database): Promise<StoredAddress[]> =>
  db.selectFrom('calendar_sources').select(['id', 'resource_id', 'kind', 'address']).execute()

/** The state of an account without what the server has read. Its open channels are due. */
const DUE_CHANNELS = sql<string | null>`case when sync_state ? 'channels' then jsonb_build_object('tokens', '{}'::jsonb,
  'channels', (select coalesce(jsonb_object_agg(key, value || '{"renewAt":0}'), '{}') from jsonb_each(sync_state -> 'channels'))) end`

/**
 * Replaces the access of a source, and lets the server read it whole. Its busy times stay until then. A read that has
 * begun with the former access stores nothing. The next read renews all channels, because the app can be another one now.
 */
export async function sourceReplace(
  tx: Database,
  id: string,
  { address, name, now }: { address: Buffer; name: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('calendar_sources')
    .set({
      address,
      name,
      whole_read_at: null,
      failures: 0,
      next_at: now,
      leased_until: null,
      sync_state: DUE_CHANNELS,
    })
    .set(({ ref }) => ({ begun: sql<number>`${ref('begun')} + 1` }))
    .where('id', '=', id)
    .execute()
}

/** Makes a source due now. Returns false if there is no such source. */
export async function sourceRefresh(tx: Database, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('calendar_sources')
    .set({ next_at: now })
    .where('id', '=', id)
    .executeTakeFirst()
  await writerRefresh(tx, id, now)
  return numUpdatedRows > 0n
}

/**
 * Makes a source due now, because its provider reports a change. A source that fails keeps its pause. Returns false if
 * there is no such source.
 */
export async function sourceChanged(tx: Database, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('calendar_sources')
    .set(({ ref }) => ({ next_at: sql<Date>`case when ${ref('failures')} = 0 then ${now} else ${ref('next_at')} end` }))
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Deletes sources, and frees the time that they block. The freed time goes to the waitlist first. A background worker then
 * ends the access at Google and Microsoft.
 */
export async function sourcesDelete(tx: UnitOfWork, ids: readonly string[], now: Date): Promise<void> {
  tx.markReleased()
  await endedInsert(tx, ids, now)
  await sql`select delete_calendars(${ids}::text[])`.execute(tx)
}

/** Deletes the sources of people, rooms and items that the business no longer has. */
export async function sourcesOfOthersDelete(tx: UnitOfWork, resources: readonly string[], now: Date): Promise<void> {
  const others = await tx
    .selectFrom('calendar_sources')
    .select('id')
    .where(sql<boolean>`resource_id <> all (${resources}::text[])`)
    .execute()
  if (others.length > 0)
    await sourcesDelete(
      tx,
      others.map(({ id }) => id),
      now,
    )
}

/**
 * Lets the server read all calendars whole again. After a change of the time zone of the business, events for whole
 * days are at other times.
 */
export async function sourcesReadWhole(tx: Database, now: Date): Promise<void> {
  await tx.updateTable('calendar_sources').set({ whole_read_at: null, next_at: now }).execute()
}

/** The last change of an account that the server has read: at a CalDAV server, at Google or at Microsoft. */
type SyncState = AccountState | ProviderState

/** A source that this process reads now. */
export type LeasedSource = Pick<
  SourceRow,
  | 'id'
  | 'kind'
  | 'address'
  | 'etag'
  | 'last_modified'
  | 'content_digest'
  | 'whole_read_at'
  | 'expanded_until'
  | 'pause_seconds'
  | 'failures'
  | 'begun'
  | 'next_at'
> & { sync_state: SyncState | null }

/** Leases at most `most` due sources to this process. Other processes skip them until the leases end. */
export async function sourcesLease(db: Database, most: number, now: Date): Promise<LeasedSource[]> {
  const { rows } = await sql<LeasedSource>`
    with due as (
      select s.id from calendar_sources s where s.next_at <= ${now} and ${isFree('s')}
      order by s.next_at, s.id limit ${most} for update skip locked
    )
    update calendar_sources s set leased_until = ${LEASED}, begun = s.begun + 1,
      next_at = ${dueAfterCrash(sql.ref('s.next_at'), sql.ref('s.begun'), now)}
    where s.id in (select id from due)
    returning s.id, s.kind, s.address, s.sync_state, s.etag, s.last_modified, s.content_digest, s.whole_read_at, s.expanded_until, s.pause_seconds, s.failures,
      s.begun, s.next_at`.execute(db)
  return rows
}

/** What a finished read changes in the row of its source. */
export type ReadState = Partial<
  Pick<
    SourceRow,
    | 'address'
    | 'etag'
    | 'last_modified'
    | 'content_digest'
    | 'read_at'
    | 'whole_read_at'
    | 'expanded_until'
    | 'unread_events'
    | 'pause_seconds'
    | 'problem'
    | 'failures'
  >
> & { next_at: Date; failing_since?: Date | null; sync_state?: SyncState }

/**
 * Stores the state of a source after a read, and ends its lease. If the source was made due again during the read, it
 * stays due, because the read may not contain the latest change. Returns false if the source no longer exists, or if
 * another process has read it meanwhile. Then nothing of the read may be stored, because it can be older.
 */
export async function readEnd(
  tx: Database,
  { id, begun, next_at: former }: Pick<LeasedSource, 'id' | 'begun' | 'next_at'>,
  { failing_since, sync_state, next_at, ...state }: ReadState,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('calendar_sources')
    .set({ ...state, leased_until: null, begun: 0 })
    .set(({ ref }) => ({
      next_at: sql<Date>`case when ${ref('next_at')} = ${former} then ${next_at}::timestamptz else ${ref('next_at')} end`,
    }))
    .$if(sync_state !== undefined, (update) => update.set({ sync_state: JSON.stringify(sync_state) }))
    .$if(failing_since === null, (update) => update.set({ failing_since: null }))
    .$if(failing_since instanceof Date, (update) =>
      update.set({ failing_since: sql`coalesce(failing_since, ${failing_since ?? null}::timestamptz)` }),
    )
    .where('id', '=', id)
    .where('begun', '=', begun)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
