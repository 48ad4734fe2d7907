import { sql } from 'kysely'
import type { Session } from '../../../core/ledger/class-sessions.ts'
import { type Database, onlyRow } from '../../../infra/db/database.ts'

export interface SessionState extends Session {
  taken: number
  held: number
}

interface SessionQuery {
  id?: string
  service?: string | undefined
  resource?: string
  range?: readonly [from: number, to: number]
}

/**
 * Lists class sessions, each with the numbers of its booked and its reserved places. Canceled sessions are included.
 */
export async function sessionsList(
  db: Database,
  { id, service, resource, range }: SessionQuery,
  now: Date,
): Promise<SessionState[]> {
  const { rows } = await sql<SessionState>`
    select s.*, coalesce(sum(p.spots), 0)::integer as taken,
      coalesce(sum(p.spots) filter (where p.holder_kind <> 'booking'), 0)::integer as held
    from sessions s
    left join seats p on p.session_id = s.id and (p.expires_at is null or p.expires_at > ${now})
    where true
      ${id === undefined ? sql`` : sql`and s.id = ${id}`}
      ${service === undefined ? sql`` : sql`and s.service_id = ${service}`}
      ${resource === undefined ? sql`` : sql`and s.resource_ids @> array[${resource}]`}
      ${range ? sql`and s.starts_at < ${new Date(range[1])} and s.ends_at > ${new Date(range[0])}` : sql``}
    group by s.id
    order by s.starts_at, s.id`.execute(db)
  return rows
}

export async function bookingsToCancel(db: Database, session: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings
    where session_id = ${session} and status in ('pending', 'requires_action', 'confirmed')
    order by id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function bookingsCanceledWith(db: Database, session: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings
    where session_id = ${session} and status = 'canceled' and record #>> '{cancellation,canceled_by}' = 'business'
      and (record #>> '{cancellation,canceled_at}')::timestamptz >= ${at}
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function hasBegun(db: Database, session: string): Promise<boolean> {
  const found = await sql<{ begun: boolean }>`
    select exists (select from bookings where session_id = ${session} and status = 'in_progress') as begun`.execute(db)
  return onlyRow(found).begun
}

/**
 * Whether the server has canceled a class and all its bookings. The server writes the audit log entry about the class
 * only at the end, so the query looks for this entry.
 */
export async function isCancellationComplete(db: Database, session: string): Promise<boolean> {
  const found = await sql<{ written: boolean }>`
    select exists (
      select from changes where subject = ${`session ${session}`} and action = 'cancel'
    ) as written`.execute(db)
  return onlyRow(found).written
}
