import { type RawBuilder, type Selectable, sql } from 'kysely'
import { receiverOfOwnerSql } from '../../core/events/receivers.ts'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import type { WaitlistEntries } from '../../infra/db/schema.generated.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import type { WaitlistBuyer, WaitlistEntry } from '../../protocol/types.generated.ts'

export type EntryRow = Omit<
  Selectable<WaitlistEntries>,
  'status' | 'buyer' | 'preferred' | 'queue' | 'number' | 'ends_at'
> & {
  status: WaitlistEntry['status']
  buyer: WaitlistBuyer
  preferred: WaitlistEntry['preferred_slots'] | null
  queue: string
  number: string
  position: number
}

type Owner = Pick<Caller, 'identities' | 'profile'> | undefined

/**
 * SQL for the position of the waitlist entry `e`. Expired entries do not count, even if their stored status does not
 * yet show the expiry.
 */
export const position = (now: Date) => sql<number>`coalesce(e.last_position, (
  select count(*)::integer + 1 from waitlist_entries o
  where o.service_id = e.service_id and o.status in ('waiting', 'offered') and (o.over_at > ${now}) is not false
    and o.queue < e.queue
))`

const owned = (owner: Owner) =>
  owner ? sql`e.principal = any (${owner.identities}::text[]) and e.profile = ${owner.profile}` : sql`true`

/**
 * Waits in memory until other calls no longer use the waitlist. A waiting call occupies no database connection. Call
 * this function before the first query of the transaction.
 */
export const waitForWaitlist = (tx: UnitOfWork): Promise<void> => tx.waitForSlot('waitlist')

/**
 * Locks the waitlist until the transaction ends. Only one transaction at a time can change entries or make offers. The
 * calling code must take this lock before any lock on people or rooms, to avoid deadlocks.
 */
export async function waitlistLock(tx: UnitOfWork): Promise<void> {
  await waitForWaitlist(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended('waitlist', 0))`.execute(tx)
}

/**
 * Waits until all running transactions that release time or places have ended. New transactions of this kind wait until
 * this transaction ends.
 */
export async function releaseBarrierLock(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('joining the waitlist', 0))`.execute(tx)
}

export async function waitlistTryLock(tx: Database): Promise<boolean> {
  const found = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('waitlist', 0)) as locked`.execute(tx)
  return onlyRow(found).locked
}

export async function entryFind(db: Database, id: string, owner: Owner, now: Date): Promise<EntryRow | undefined> {
  const { rows } = await sql<EntryRow>`
    select e.*, ${position(now)} as position from waitlist_entries e where e.id = ${id} and ${owned(owner)}`.execute(db)
  return rows[0]
}

/** Finds the first waitlist entry of the same buyer for the same slot, or for the same preferred times. */
export async function findDuplicateEntry(
  tx: Database,
  owner: Owner,
  { service_id, slot_id, preferred, buyer }: Pick<EntryRow, 'service_id' | 'slot_id' | 'preferred' | 'buyer'>,
  now: Date,
): Promise<EntryRow | undefined> {
  const { rows } = await sql<EntryRow>`
    select e.*, ${position(now)} as position from waitlist_entries e
    where e.service_id = ${service_id} and e.status in ('waiting', 'offered') and ${owned(owner)}
      and e.slot_id is not distinct from ${slot_id} and lower(e.buyer ->> 'email') = lower(${buyer.email})
      and (e.slot_id is not null or coalesce(e.preferred::jsonb, '[]') = ${JSON.stringify(preferred ?? [])}::jsonb)
    order by e.queue limit 1`.execute(tx)
  return rows[0]
}

/** SQL that selects all entries that wait for a service or have an offer, each with its position. */
const waitlistOf = (serviceId: string) => sql`
  select e.*, row_number() over (order by e.queue)::integer as position
  from waitlist_entries e where e.service_id = ${serviceId} and e.status in ('waiting', 'offered')`

export async function entriesInOrder(db: Database, serviceId: string): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`${waitlistOf(serviceId)} order by e.queue`.execute(db)
  return rows
}

/**
 * SQL that selects the data of events about changed waitlist positions. It returns one row for each entry that moved
 * and whose owner receives events.
 */
export const movedEntryEvents = (before: ReadonlyMap<string, number>, serviceId: string) => sql`
  select position as place, 'entry ' || id as subject, to_json(line) as snapshot, receiver
  from (${waitlistOf(serviceId)}) as line cross join lateral (select ${receiverOfOwnerSql('line')} as receiver) as owner
  where receiver is not null and (${JSON.stringify(Object.fromEntries(before))}::jsonb -> id)::integer is distinct from position`

export const endedEntryEvents = (ids: readonly string[]) => sql`
  select queue as place, 'entry ' || id as subject, to_json(line) as snapshot, receiver
  from (select e.*, e.last_position as position from waitlist_entries e where e.id = any (${ids}::text[])) as line
  cross join lateral (select ${receiverOfOwnerSql('line')} as receiver) as owner
  where receiver is not null`

/**
 * Returns the current position of each waitlist entry of a service, by entry id. The calling code later compares these
 * positions with the new positions, to find the entries that moved.
 */
export async function positionsById(db: Database, serviceId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string }>`
    select id from waitlist_entries where service_id = ${serviceId} and status in ('waiting', 'offered')
    order by queue`.execute(db)
  return new Map(rows.map(({ id }, index) => [id, index + 1]))
}

/**
 * Returns the entries of these services that wait without an offer, in the order of the waitlist. Entries with an offer
 * still count for the positions.
 */
export async function entriesWaiting(db: Database, services: readonly string[]): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select * from (
      select e.*, row_number() over (partition by e.service_id order by e.queue)::integer as position
      from waitlist_entries e where e.service_id = any (${services}::text[]) and e.status in ('waiting', 'offered')
    ) line
    where status = 'waiting' order by queue`.execute(db)
  return rows
}

export async function entryCount(db: Database, serviceId: string): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*)::integer as count from waitlist_entries
    where service_id = ${serviceId} and status in ('waiting', 'offered')`.execute(db)
  return onlyRow(counted).count
}

export const entryState = (now: Date) => sql`case when e.over_at <= ${now} then 'expired' else e.status end`

interface Filter {
  serviceId: string | undefined
  status: string | undefined
  after: string | undefined
  limit: number
}

export async function entryList(
  db: Database,
  owner: Owner,
  { serviceId, status, after, limit }: Filter,
  now: Date,
): Promise<{ entries: EntryRow[]; total: number }> {
  const wanted = sql`${owned(owner)}
    ${serviceId === undefined ? sql`` : sql`and e.service_id = ${serviceId}`}
    ${status === undefined ? sql`` : sql`and ${entryState(now)} = ${status}`}`
  const { rows } = await sql<EntryRow>`
    select e.*, ${position(now)} as position from waitlist_entries e
    where ${wanted} ${after === undefined ? sql`` : sql`and e.number > ${after}::bigint`}
    order by e.number limit ${limit}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::integer as total from waitlist_entries e where ${wanted}`.execute(db)
  return { entries: rows, total: onlyRow(counted).total }
}

/**
 * Returns the waitlist entries that match the condition, with their positions. Hundreds of entries may match, so the
 * query computes all positions of a service in one pass.
 */
const entriesWhere = async (db: Database, which: RawBuilder<unknown>, now: Date): Promise<EntryRow[]> => {
  const { rows } = await sql<EntryRow>`
    select * from (
      select e.*, 1 + (count(*) filter (where (e.over_at > ${now}) is not false) over (
        partition by e.service_id order by e.queue rows between unbounded preceding and 1 preceding
      ))::integer as position
      from waitlist_entries e where e.status in ('waiting', 'offered')
        and e.service_id = any (array(select e.service_id from waitlist_entries e where ${which}))
    ) e where ${which} order by e.queue`.execute(db)
  return rows
}

export const entriesOffered = (db: Database, now: Date) => entriesWhere(db, sql`e.status = 'offered'`, now)

/** Finds waitlist entries past their deadline whose stored status does not yet show the expiry. */
export const overdueEntries = (db: Database, now: Date) => entriesWhere(db, sql`e.over_at <= ${now}`, now)

export const entriesOfClass = (db: Database, service: string, startsAt: Date, now: Date) =>
  entriesWhere(
    db,
    sql`e.service_id = ${service} and (
      e.status = 'waiting' and e.slot_id is not null and e.ends_at = ${startsAt}
      or e.status = 'offered' and e.offered_from = ${startsAt})`,
    now,
  )

export async function servicesWithEntries(db: Database): Promise<string[]> {
  const { rows } = await sql<{ service_id: string }>`
    select distinct service_id from waitlist_entries where status in ('waiting', 'offered') order by 1`.execute(db)
  return rows.map(({ service_id }) => service_id)
}
