import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { ClaimHolder, NewHolder, Time } from './resource-claims.ts'

/**
 * Takes seats in a class session for a group of people, if enough seats are free. Returns the number of seats that were
 * free before. If this number is smaller than the group, the function took no seat. Null means that the session is
 * canceled or closed, or that its teacher or room is busy in another calendar.
 */
export async function seatsTake(
  tx: Database,
  session: string,
  { holder, party, expiresAt, now }: { holder: ClaimHolder; party: number; expiresAt: Date | undefined; now: Date },
): Promise<number | null> {
  const answer = await sql<{ free: number | null }>`
    select join_free_session(${session}, ${holder.kind}, ${holder.id}, ${party}::integer, ${expiresAt}::timestamptz,
      ${now}::timestamptz) as free`.execute(tx)
  return onlyRow(answer).free
}

/**
 * Transfers unexpired seats in a class session from one holder to another, for example from a hold (a short
 * reservation) to its booking. Returns the id of the session, or undefined if the seats have expired.
 */
export async function seatsPass(
  tx: Database,
  { from, to, expiresAt }: NewHolder,
  now: Date,
): Promise<string | undefined> {
  const passed = await tx
    .updateTable('seats')
    .set({ holder_kind: to.kind, holder_id: to.id, expires_at: expiresAt ?? null })
    .where('holder_kind', '=', from.kind)
    .where('holder_id', '=', from.id)
    .where((seat) => seat.or([seat('expires_at', 'is', null), seat('expires_at', '>', now)]))
    .returning('session_id')
    .executeTakeFirst()
  return passed?.session_id
}

export const seatsEnd = (tx: UnitOfWork, { kind, id }: ClaimHolder): Promise<void> => seatsEndOf(tx, kind, [id])

export async function seatsEndOf(tx: UnitOfWork, kind: ClaimHolder['kind'], ids: readonly string[]): Promise<void> {
  tx.markReleased()
  await sql`delete from seats where holder_kind = ${kind} and holder_id = any (${ids}::text[])`.execute(tx)
}

export interface OwnSeats {
  session_id: string
  spots: number
  held: number
}

export async function seatsOf(db: Database, { kind, id }: ClaimHolder, now: Date): Promise<OwnSeats | undefined> {
  const row = await db
    .selectFrom('seats')
    .select(['session_id', 'spots'])
    .where('holder_kind', '=', kind)
    .where('holder_id', '=', id)
    .where((seat) => seat.or([seat('expires_at', 'is', null), seat('expires_at', '>', now)]))
    .executeTakeFirst()
  return row && { ...row, held: kind === 'hold' ? row.spots : 0 }
}

export interface SessionRow {
  id: string
  starts_at: Date
  ends_at: Date
  location_id: string | null
  resource_ids: string[]
  capacity: number
  taken: number
  held: number
}

/**
 * Returns the class sessions of a service that begin within an interval, with the numbers of taken and held seats.
 * While buyers are on the waitlist, expired seats count as taken. A session with released seats then counts as full
 * until the server has offered these seats to the waitlist. A session also counts as full while its teacher or room is
 * busy in another calendar.
 */
export async function sessionsBetween(
  db: Database,
  serviceId: string,
  { from, to }: Time,
  now: Date,
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select s.id, s.starts_at, s.ends_at, s.location_id, s.resource_ids, s.capacity,
      case when exists (select from freed) and owed_to_line(s.id, s.service_id, ${now}) then s.capacity
        when (select exists (select from calendar_conflicts)) and is_class_busy(s.id) then s.capacity
        else coalesce(sum(p.spots), 0)::integer end as taken,
      coalesce(sum(p.spots) filter (where p.holder_kind = 'hold'), 0)::integer as held
    from sessions s
    left join seats p on p.session_id = s.id
      and (p.expires_at is null or p.expires_at > ${now} or (select somebody_waits(${now}, ${serviceId})))
    where s.service_id = ${serviceId} and s.starts_at >= ${new Date(from)} and s.starts_at < ${new Date(to)} and s.wanted and s.canceled_at is null
    group by s.id
    order by s.starts_at`.execute(db)
  return rows
}
