import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import type { Time } from './resource-claims.ts'

export interface StoredSession {
  id: string
  service: string
  start: number
  location: string | null
  resources: string[]
  capacity: number
  isResized: boolean
  isWanted: boolean
  isCanceled: boolean
  /**
   * Whether the server keeps a class session that the business definition no longer contains, because the session has
   * booked or reserved seats.
   */
  isKept: boolean
}

const isUsed = sql`(
  exists (select from seats where session_id = s.id) or exists (select from bookings where session_id = s.id))`

export async function findFutureSessions(db: Database, now: Date): Promise<StoredSession[]> {
  // A separate query finds the class sessions to keep. In this query, PostgreSQL looks up bookings only for the few
  // sessions that the business definition no longer contains.
  const { rows: keptRows } = await sql<{ id: string }>`
    select id from sessions s where starts_at >= ${now} and not wanted and canceled_at is null and ${isUsed}`.execute(
    db,
  )
  const ids = new Set(keptRows.map(({ id }) => id))
  const { rows } = await sql<Omit<StoredSession, 'isKept'>>`
    select id, service_id as service, (extract(epoch from starts_at) * 1000)::float8 as start, location_id as location,
      resource_ids as resources, capacity, resized as "isResized", wanted as "isWanted",
      canceled_at is not null as "isCanceled"
    from sessions where starts_at >= ${now}`.execute(db)
  return mapWithYields(rows, (row) => ({ ...row, isKept: ids.has(row.id) }))
}

/**
 * Locks the people, rooms and items of class sessions, and additional resources. Afterwards, the caller must lock the
 * sessions.
 */
export async function sessionResourcesLock(
  tx: UnitOfWork,
  sessions: readonly string[],
  resources: readonly string[],
): Promise<void> {
  await sql`select lock_resources(array(
      select unnest(${resources}::text[])
      union select resource_id from claims where holder_kind = 'session' and holder_id = any (${sessions}::text[])
    ))`.execute(tx)
}

/**
 * Locks class sessions, and their held and offered seats. Until the transaction ends, no buyer can take or book a seat
 * in these sessions. Skips sessions that other transactions have locked, and returns their ids as `busy`.
 */
export async function sessionsLock(
  tx: UnitOfWork,
  ids: readonly string[],
): Promise<{ locked: string[]; busy: string[] }> {
  // Despite this lock, another transaction can book a held seat, because booking only inserts a row that refers to the
  // class session. The next statement waits for the end of the other transaction.
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id = any (${ids}::text[]) and canceled_at is null
    order by starts_at, id for no key update skip locked`.execute(tx)
  const locked = rows.map(({ id }) => id)
  await sql`
    select from seats where session_id = any (${locked}::text[]) and holder_kind <> 'booking'
    order by session_id, holder_id for update`.execute(tx)
  const { rows: busy } = await sql<{ id: string }>`
    select id from sessions
    where id = any (${ids}::text[]) and id <> all (${locked}::text[]) and canceled_at is null`.execute(tx)
  return { locked, busy: busy.map(({ id }) => id) }
}

export async function expiredSeatsDelete(tx: UnitOfWork, sessions: readonly string[], now: Date): Promise<void> {
  await sql`delete from seats where session_id = any (${sessions}::text[]) and expires_at <= ${now}`.execute(tx)
}

/**
 * Deletes the locked class sessions that have no bookings and no taken seats. Closes the other sessions, so that no
 * buyer can book them, and returns the ids of the closed sessions.
 */
export async function sessionsRemove(tx: UnitOfWork, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  // Other transactions can have added bookings to these class sessions before the lock. A statement sees these bookings
  // only if it begins after the lock.
  const { rows } = await sql<{ id: string }>`
    select id from sessions s where id = any (${ids}::text[]) and ${isUsed}`.execute(tx)
  const used = new Set(rows.map(({ id }) => id))
  const unused = ids.filter((id) => !used.has(id))
  await sessionsDelete(tx, unused)
  const { rows: closed } = await sql<{ id: string }>`
    update sessions set wanted = false where id = any (${[...used]}::text[]) and wanted returning id`.execute(tx)
  return closed.map(({ id }) => id)
}

async function sessionsDelete(tx: UnitOfWork, ids: readonly string[]): Promise<void> {
  await sql`delete from claims where holder_kind = 'session' and holder_id = any (${ids}::text[])`.execute(tx)
  await sql`delete from sessions where id = any (${ids}::text[])`.execute(tx)
}

interface Size {
  id: string
  capacity: number
}

/**
 * Reopens closed class sessions, and returns their ids. Then sets the capacity of each session to the given number, but
 * never below the number of taken seats. A session that the staff resized keeps its capacity.
 */
export async function sessionsReopenAndResize(tx: UnitOfWork, sizes: readonly Size[]): Promise<string[]> {
  if (sizes.length === 0) return []
  const ids = sizes.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    update sessions set wanted = true where id = any (${ids}::text[]) and not wanted returning id`.execute(tx)
  await sql`
    update sessions s set capacity = given.capacity
    from (
      select id, greatest(capacity, (select coalesce(sum(spots), 0) from seats where session_id = given.id)) as capacity
      from json_to_recordset(${JSON.stringify(sizes)}::json) as given (id text, capacity integer)
    ) given
    where s.id = given.id and not s.resized and s.capacity <> given.capacity`.execute(tx)
  return rows.map(({ id }) => id)
}

export interface NewSession {
  id: string
  service: string
  start: number
  end: number
  location: string | undefined
  resources: readonly string[]
  capacity: number
  time: Time
}

/**
 * Creates class sessions and claims their rooms and people, which the caller has locked. Returns the ids of the new
 * sessions. Skips a session if a room or person is already occupied, or if the service already has a session at this
 * time.
 */
export async function sessionsOpen(tx: UnitOfWork, sessions: readonly NewSession[], now: Date): Promise<Set<string>> {
  if (sessions.length === 0) return new Set()
  const given = sql`json_to_recordset(${JSON.stringify(sessions.map(rowOf))}::json) as given (
    id text, service text, starts_at timestamptz, ends_at timestamptz, location text, resources text[], capacity integer,
    during tstzrange)`
  await sql`
    delete from claims c using ${given}, unnest(given.resources) resource
    where c.resource_id = resource and c.during && given.during and c.expires_at <= ${now}`.execute(tx)
  const { rows } = await sql<{ id: string; isComplete: boolean }>`
    with given as materialized (select * from ${given}), opened as (
      insert into sessions (id, service_id, starts_at, ends_at, location_id, resource_ids, capacity)
      select id, service, starts_at, ends_at, location, resources, capacity from given
      where not exists (
        select from unnest(resources) resource join claims c on c.resource_id = resource and c.during && given.during
      )
      on conflict (service_id, starts_at) do nothing
      returning id
    ), claimed as (
      insert into claims (resource_id, during, holder_kind, holder_id)
      select resource, during, 'session', id from given join opened using (id), unnest(resources) resource
      on conflict on constraint claims_never_overlap do nothing
      returning holder_id
    )
    select id, count(holder_id) = cardinality(resources) as "isComplete"
    from given join opened using (id) left join claimed on holder_id = id
    group by id, resources`.execute(tx)
  const incomplete = rows.flatMap(({ id, isComplete }) => (isComplete ? [] : id))
  if (incomplete.length > 0) await sessionsDelete(tx, incomplete)
  const complete = rows.flatMap(({ id, isComplete }) => (isComplete ? id : []))
  await sql`select store_class_conflicts(${complete}::text[])`.execute(tx)
  return new Set(complete)
}

function rowOf({ start, end, time, ...session }: NewSession) {
  const [starts_at, ends_at, from, to] = [start, end, time.from, time.to].map((at) => new Date(at).toISOString())
  return { ...session, starts_at, ends_at, during: `[${from},${to})` }
}
