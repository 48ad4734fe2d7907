import { type RawBuilder, type Selectable, sql } from 'kysely'
import { dueAfterCrash, hasFewStarts, isFree, LEASED } from '../../core/jobs/row-lease.ts'
import type { Database } from '../../infra/db/database.ts'
import type { CalendarWriters } from '../../infra/db/schema.generated.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { CalendarHome } from './caldav/find-calendars.ts'

/** The calendar into which the owner lets the server write bookings. Undefined: into none. */
export interface WritingChoice {
  calendar: string
  names: boolean
}

const newestChange = sql<string>`(select coalesce(max(number), 0) from changes)`

interface Writer {
  id: string
  resource_id: string
}

/**
 * Stores into which calendar of an account the server writes the bookings of the resource. All coming bookings are then
 * due. A resource has one such calendar: the writing into its former calendar ends, and the worker removes the events of
 * coming bookings there.
 */
export async function writerChoose(
  tx: UnitOfWork,
  source: Writer,
  choice: WritingChoice | undefined,
  now: Date,
): Promise<void> {
  if (choice) {
    const others = await tx
      .selectFrom('calendar_writers')
      .select(['id', 'resource_id'])
      .where('resource_id', '=', source.resource_id)
      .where('id', '<>', source.id)
      .execute()
    for (const one of others) await writerSet(tx, one, undefined, now)
  }
  await writerSet(tx, source, choice, now)
}

async function writerSet(
  tx: UnitOfWork,
  { id, resource_id }: Writer,
  choice: WritingChoice | undefined,
  now: Date,
): Promise<void> {
  const set = { calendar: choice?.calendar ?? null, names: choice?.names ?? false, home: null, version: null }
  const due = { next_at: now, problem: null, failing_since: null, failures: 0 }
  const known = await tx
    .updateTable('calendar_writers')
    .set({ ...set, ...due, begun: sql`begun + 1` })
    .where('id', '=', id)
    .executeTakeFirst()
  if (known.numUpdatedRows > 0n) return writesQueueAll(tx, { id, resource_id }, now)
  if (!choice) return
  await tx
    .insertInto('calendar_writers')
    .values({ id, resource_id, ...set, next_at: now, seen_before: newestChange, seen_until: newestChange })
    .execute()
  await writesQueueAll(tx, { id, resource_id }, now)
}

/** Queues the events of all coming bookings of the resource, and all coming events that the server has written. */
async function writesQueueAll(tx: Database, { id, resource_id }: Writer, now: Date): Promise<void> {
  await sql`
    insert into calendar_writes (writer_id, subject)
    select ${id}, subject from (${upcoming(resource_id, now)}) as wanted (subject)
    union
    select writer_id, subject from written_events where writer_id = ${id} and ends_at > ${now}`.execute(tx)
}

/**
 * Queues the events of bookings that have changed since the last call. The audit log names them, so a booking does not
 * wait for calendars, and does nothing for them. A class has one event for all its bookings.
 */
export async function writesFeed(db: Database): Promise<void> {
  await sql`
    with newest as (select coalesce(max(number), 0) as number from changes),
    fed as (
      select w.id, w.resource_id, w.seen_before from calendar_writers w, newest
      where w.seen_before < newest.number for update of w skip locked
    ),
    queued as (
      insert into calendar_writes (writer_id, subject)
      select distinct fed.id, coalesce(b.session_id, changed.id)
      from fed
      join changes c on c.number > fed.seen_before and starts_with(c.subject, 'booking ')
      cross join lateral substr(c.subject, 9) as changed (id)
      left join bookings b on b.id = changed.id
      left join sessions s on s.id = b.session_id
      where fed.resource_id = any (coalesce(s.resource_ids, b.resource_ids)) or exists (
        select from written_events e where e.writer_id = fed.id and e.subject = coalesce(b.session_id, changed.id))
    )
    update calendar_writers w set seen_before = w.seen_until, seen_until = newest.number
    from fed, newest where w.id = fed.id`.execute(db)
}

/**
 * Queues the coming bookings whose events are missing or outdated, and the events of classes. No change of a booking tells
 * the server that a class has another teacher, and a long transaction can commit after its entry of the audit log was due.
 */
export async function writesQueueMissing(tx: Database, { id, resource_id }: Writer, now: Date): Promise<void> {
  await sql`
    insert into calendar_writes (writer_id, subject)
    select ${id}, subject from (${upcoming(resource_id, now)}) as wanted (subject)
    where not exists (select from written_events w where w.writer_id = ${id} and w.subject = wanted.subject)
    union
    select w.writer_id, w.subject from written_events w left join bookings b on b.id = w.subject
    where w.writer_id = ${id} and w.ends_at > ${now} and (
      b.id is null or b.status = 'canceled' or not b.resource_ids @> array[${resource_id}]::text[]
      or (b.starts_at, b.ends_at) is distinct from (w.starts_at, w.ends_at))`.execute(tx)
}

/** An SQL query for the ids of the coming bookings of a resource, and of its coming classes with bookings. */
const upcoming = (resource: string, now: Date): RawBuilder<unknown> => sql`
  select b.id from bookings b
  where b.resource_ids @> array[${resource}]::text[] and b.session_id is null and b.ends_at > ${now} and b.status <> 'canceled'
  union all
  select s.id from sessions s
  where s.resource_ids @> array[${resource}]::text[] and s.ends_at > ${now} and s.canceled_at is null
    and exists (select from bookings b where b.session_id = s.id and b.status <> 'canceled')`

/** A calendar to which this process writes now, with the sealed access of its account. */
export type LeasedWriter = Pick<
  Selectable<CalendarWriters>,
  'id' | 'resource_id' | 'calendar' | 'names' | 'version' | 'failures' | 'begun'
> & { home: CalendarHome | null; address: Buffer; isCheckDue: boolean }

/**
 * Leases at most `most` calendars with due events, or whose events are to be compared. Other processes skip them. If the
 * process is killed, the next one compares all events.
 */
export async function writersLease(db: Database, most: number, now: Date): Promise<LeasedWriter[]> {
  const { rows } = await sql<LeasedWriter>`
    with due as (
      select w.id, w.version, w.next_at <= ${now} as checked from calendar_writers w
      where ${isFree('w')} and (
        w.next_at <= ${now} or (
          w.failures = 0 and ${hasFewStarts(sql.ref('w.begun'))}
          and exists (select from calendar_writes q where q.writer_id = w.id)))
      order by w.next_at, w.id limit ${most} for update skip locked
    )
    update calendar_writers w set leased_until = ${LEASED}, begun = w.begun + 1, version = null,
      next_at = ${dueAfterCrash(sql.ref('w.next_at'), sql.ref('w.begun'), now)}
    from due join calendar_sources s on s.id = due.id
    where w.id = due.id
    returning w.id, w.resource_id, w.calendar, w.names, w.home, due.version, w.failures, w.begun, s.address,
      due.checked as "isCheckDue"`.execute(db)
  return rows
}

/** What a finished run changes in the row of its calendar. */
export type WriterState = Partial<
  Pick<Selectable<CalendarWriters>, 'version' | 'written_at' | 'problem' | 'failures' | 'next_at'>
> & { failing_since?: Date | null; home?: CalendarHome | null }

/** Stores the result of a run, and ends its lease. A run that another process has repeated meanwhile changes nothing. */
export async function writerEnd(
  tx: Database,
  { id, begun }: Pick<LeasedWriter, 'id' | 'begun'>,
  { failing_since, home, ...state }: WriterState,
): Promise<void> {
  await tx
    .updateTable('calendar_writers')
    .set({ ...state, leased_until: null, begun: 0 })
    .$if(home !== undefined, (update) => update.set({ home: home && JSON.stringify(home) }))
    .$if(failing_since === null, (update) => update.set({ failing_since: null }))
    .$if(failing_since instanceof Date, (update) =>
      update.set({ failing_since: sql`coalesce(failing_since, ${failing_since ?? null}::timestamptz)` }),
    )
    .where('id', '=', id)
    .where('begun', '=', begun)
    .execute()
}

/** Deletes a calendar whose writing has ended, as soon as no coming event is left in it. */
export async function writerDeleteIfEmpty(tx: Database, id: string, now: Date): Promise<void> {
  await sql`
    delete from calendar_writers w
    where w.id = ${id} and w.calendar is null
      and not exists (select from written_events e where e.writer_id = w.id and e.ends_at > ${now})`.execute(tx)
}

export async function writerRefresh(tx: Database, id: string, now: Date): Promise<void> {
  await tx.updateTable('calendar_writers').set({ next_at: now }).where('id', '=', id).execute()
}

/** The events that are due, oldest first. `until` is the number of the last row of each of them. */
export async function writesDue(
  db: Database,
  writer: string,
  most: number,
): Promise<{ subject: string; until: string }[]> {
  const { rows } = await sql<{ subject: string; until: string }>`
    select subject, max(number)::text as until from calendar_writes where writer_id = ${writer}
    group by subject order by min(number) limit ${most}`.execute(db)
  return rows
}

export async function writeQueue(tx: Database, writer_id: string, subject: string): Promise<void> {
  await tx.insertInto('calendar_writes').values({ writer_id, subject }).execute()
}

/** Ends a due event. A change that was queued meanwhile stays due. */
export async function writesEnd(tx: Database, writer: string, subject: string, until: string): Promise<void> {
  await sql`
    delete from calendar_writes where writer_id = ${writer} and subject = ${subject} and number <= ${until}::bigint`.execute(
    tx,
  )
}
