import { type Selectable, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { WaitlistEntries } from '../db/schema.generated.ts'
import type { Caller } from '../protocol/operation.ts'
import type { WaitlistBuyer, WaitlistEntry } from '../protocol/types.generated.ts'

/** An entry as it is stored, and its place in the line. */
export type EntryRow = Omit<Selectable<WaitlistEntries>, 'status' | 'buyer' | 'preferred' | 'queue' | 'number'> & {
  status: WaitlistEntry['status']
  buyer: WaitlistBuyer
  preferred: WaitlistEntry['preferred_slots'] | null
  queue: string
  number: string
  position: number
}

type Owner = Pick<Caller, 'identities' | 'profile'> | undefined

export const position = sql<number>`coalesce(e.last_position, (
  select count(*)::integer + 1 from waitlist_entries o
  where o.service_id = e.service_id and o.status in ('waiting', 'offered') and o.queue < e.queue
))`

const owned = (owner: Owner) =>
  owner ? sql`e.principal = any (${owner.identities}::text[]) and e.profile = ${owner.profile}` : sql`true`

/** Whoever changes the line or makes an offer waits for the others. Always taken before any time is claimed. */
export async function waitlistLock(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('waitlist', 0))`.execute(tx)
}

export async function waitlistTryLock(tx: Database): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('waitlist', 0)) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

export async function entryFind(db: Database, id: string, owner: Owner): Promise<EntryRow | undefined> {
  const { rows } = await sql<EntryRow>`
    select e.*, ${position} as position from waitlist_entries e where e.id = ${id} and ${owned(owner)}`.execute(db)
  return rows[0]
}

/** Everybody in the line of a service, the first first. */
export async function entryLine(db: Database, serviceId: string): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select e.*, row_number() over (order by e.queue)::integer as position
    from waitlist_entries e where e.service_id = ${serviceId} and e.status in ('waiting', 'offered')
    order by e.queue`.execute(db)
  return rows
}

export async function entryCount(db: Database, serviceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from waitlist_entries
    where service_id = ${serviceId} and status in ('waiting', 'offered')`.execute(db)
  return rows[0]?.count ?? 0
}

/** An offer that lapsed reads as expired. */
export const entryState = (now: Date) =>
  sql`case when e.status = 'offered' and e.offer_expires_at <= ${now} then 'expired' else e.status end`

interface Filter {
  serviceId: string | undefined
  status: string | undefined
  after: string | undefined
  limit: number
}

/** The caller's entries, oldest first, and how many there are in all. */
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
    select e.*, ${position} as position from waitlist_entries e
    where ${wanted} ${after === undefined ? sql`` : sql`and e.number > ${after}::bigint`}
    order by e.number limit ${limit}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::integer as total from waitlist_entries e where ${wanted}`.execute(db)
  return { entries: rows, total: counted.rows[0]?.total ?? 0 }
}

export async function entryInsert(
  tx: Database,
  entry: Pick<
    EntryRow,
    'id' | 'principal' | 'profile' | 'service_id' | 'slot_id' | 'buyer' | 'preferred' | 'told_apart'
  >,
  now: Date,
): Promise<void> {
  const { buyer, preferred, ...rest } = entry
  await tx
    .insertInto('waitlist_entries')
    .values({
      ...rest,
      buyer: JSON.stringify(buyer),
      preferred: preferred ? JSON.stringify(preferred) : null,
      revision: 1,
      status: 'waiting',
      created_at: now,
      updated_at: now,
    })
    .execute()
}

type Set = Partial<
  Pick<
    EntryRow,
    'status' | 'last_position' | 'offered_slot_id' | 'offered_from' | 'offered_to' | 'offer_expires_at' | 'booking_id'
  >
>

/** Changes the entry; `toEnd` gives it a new place behind all others. */
export async function entryUpdate(
  tx: Database,
  id: string,
  set: Set,
  now: Date,
  { toEnd = false } = {},
): Promise<void> {
  await tx
    .updateTable('waitlist_entries')
    .set(({ eb }) => ({
      ...set,
      revision: eb('revision', '+', 1),
      updated_at: now,
      ...(toEnd && { queue: sql`nextval('waitlist_queue')` }),
    }))
    .where('id', '=', id)
    .execute()
}

export async function entriesOffered(db: Database): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select e.*, ${position} as position from waitlist_entries e where e.status = 'offered' order by e.queue`.execute(db)
  return rows
}

export async function offersLapsed(db: Database, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('waitlist_entries')
    .select('id')
    .where('status', '=', 'offered')
    .where('offer_expires_at', '<=', now)
    .orderBy('queue')
    .execute()
  return rows.map(({ id }) => id)
}

export interface Freed {
  resource_id: string | null
  session_id: string | null
  service_id: string | null
  from: number | null
  to: number | null
}

/** Takes what came free off the list, for whoever looks at it now. Others take what others see. */
export async function freedTake(tx: Database): Promise<Freed[]> {
  const { rows } = await sql<Freed>`
    with taken as (
      delete from freed where number in (select number from freed for update skip locked)
      returning resource_id, session_id, during
    )
    select t.resource_id, t.session_id, s.service_id,
      (extract(epoch from coalesce(lower(t.during), s.starts_at)) * 1000)::float8 as from,
      (extract(epoch from coalesce(upper(t.during), s.ends_at)) * 1000)::float8 as to
    from taken t left join sessions s on s.id = t.session_id`.execute(tx)
  return rows
}

export async function freedInsert(tx: Database): Promise<void> {
  await sql`select tell_freed(null, null, null)`.execute(tx)
}

export async function anythingFreed(db: Database): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from freed) as any`.execute(db)
  return rows[0]?.any ?? false
}

export async function servicesAwaited(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('waitlist_entries')
    .select('service_id')
    .distinct()
    .where('status', '=', 'waiting')
    .execute()
  return rows.map(({ service_id }) => service_id)
}
