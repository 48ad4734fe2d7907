import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { addFinding, type Findings } from './verification-findings.ts'

interface Difference {
  holder: string
  due: string[] | null
  held: string[] | null
  covered: boolean | null
}

/**
 * Checks that each unfinished booking, block (time that the staff removed) and class session claims its people and
 * rooms. No other claims may exist. An expired booking passes with or without claims, because the server deletes its
 * claims only some time later.
 */
export async function verifyHolders(db: Database, findings: Findings, now: Date): Promise<number> {
  const { rows } = await sql<Difference>`
    with due as (${dueClaims(now)}), held as (
      select holder_kind as kind, holder_id as id, array_agg(resource_id order by resource_id) as resources,
        max(lower(during)) as starts, min(upper(during)) as ends
      from claims where holder_kind in ('booking', 'block', 'session')
      group by 1, 2
    )
    select coalesce(due.kind, held.kind) || ' ' || coalesce(due.id, held.id) as holder,
      due.resources as due, held.resources as held,
      held.starts <= due.starts_at and held.ends >= due.ends_at as covered
    from due full join held on held.kind = due.kind and held.id = due.id
    where due.id is null or (not due.lapsed and (
      due.resources is distinct from coalesce(held.resources, '{}') or held.starts > due.starts_at or held.ends < due.ends_at))
    order by 1`.execute(db)
  for (const row of rows) addFinding(findings, describe(row))
  const counted = await sql<{ count: number }>`select count(*)::integer as count from (${dueClaims(now)}) due`.execute(
    db,
  )
  return onlyRow(counted).count
}

/**
 * SQL condition for bookings that have passed their deadline. The claims of these bookings can still be in the database
 * for some time.
 */
const isReleased = (now: Date) =>
  sql`coalesce(expires_at <= ${now} and greatest(expires_at, release_at) <= ${now}, false)`

const sorted = sql`array(select unnest(resource_ids) order by 1)`

const dueClaims = (now: Date) => sql`
  select 'booking' as kind, id, ${sorted} as resources, starts_at, ends_at, ${isReleased(now)} as lapsed
  from bookings
  where session_id is null and status in ('pending', 'requires_action', 'confirmed', 'in_progress')
  union all
  select 'block', id, array[resource_id], starts_at, ends_at, false from blocks
  union all
  select 'session', id, ${sorted}, starts_at, ends_at, false from sessions where canceled_at is null`

function describe({ holder, due, held, covered }: Difference): string {
  if (!due) return `${holder} claims ${list(held)}, but should claim nothing.`
  if (covered === false && due.join() === held?.join()) return `${holder} claims ${list(held)} for less than its time.`
  return `${holder} should claim ${list(due)}, but claims ${list(held)}.`
}

const list = (resources: string[] | null) => resources?.join(', ') || 'nothing'

export async function verifyBookedSeats(db: Database, findings: Findings, now: Date): Promise<number> {
  const places = sql`
    select id, session_id, (record ->> 'party_size')::integer as spots, ${isReleased(now)} as lapsed
    from bookings
    where session_id is not null and status in ('pending', 'requires_action', 'confirmed', 'in_progress')`
  const { rows } = await sql<{ id: string; session_id: string; due: number | null; held: number | null }>`
    select coalesce(due.id, seats.holder_id) as id, coalesce(due.session_id, seats.session_id) as session_id,
      due.spots as due, seats.spots as held
    from (${places}) due
    full join (select * from seats where holder_kind = 'booking') seats
      on seats.holder_id = due.id and seats.session_id = due.session_id
    where due.id is null or (not due.lapsed and due.spots is distinct from seats.spots)
    order by 1, 2`.execute(db)
  for (const { id, session_id, due, held } of rows)
    addFinding(findings, `booking ${id} should have ${due ?? 0} places in session ${session_id}, but has ${held ?? 0}.`)
  const counted = await sql<{ count: number }>`select count(*)::integer as count from (${places}) due`.execute(db)
  return onlyRow(counted).count
}
