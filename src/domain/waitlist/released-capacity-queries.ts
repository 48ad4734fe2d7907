import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import type { AvailableTime } from '../availability/available-times.ts'
import { type Plan, resourcesOf } from '../availability/service-scheduling-plan.ts'

export interface Released {
  resource_id: string | null
  session_id: string | null
  service_id: string | null
  from: number | null
  to: number | null
  /** The time that became free at the resource, as a range in PostgreSQL's text format. */
  during: string | null
}

/**
 * Deletes and returns the stored rows about released capacity (time or places that became free). The function skips
 * rows that another transaction has locked.
 */
export async function releasedTake(tx: Database): Promise<Released[]> {
  const { rows } = await sql<Released>`
    with taken as (
      delete from freed where number in (select number from freed for update skip locked)
      returning resource_id, session_id, during
    )
    select t.resource_id, t.session_id, s.service_id, t.during::text,
      (extract(epoch from coalesce(lower(t.during), s.starts_at)) * 1000)::float8 as from,
      (extract(epoch from coalesce(upper(t.during), s.ends_at)) * 1000)::float8 as to
    from taken t left join sessions s on s.id = t.session_id`.execute(tx)
  return rows
}

type Place = Pick<Released, 'resource_id' | 'session_id' | 'during'>

/**
 * Returns the capacity that a booking at this time may use. This is the class session or, without a class session, the
 * time of all people and rooms of the service.
 */
export function capacityOf(plan: Plan, { start, end, session }: AvailableTime): Place[] {
  if (session !== undefined) return [{ resource_id: null, session_id: session, during: null }]
  const [from, to] = [start - plan.before, end + plan.after].map((at) => new Date(at).toISOString())
  return resourcesOf(plan).map((resource_id) => ({ resource_id, session_id: null, during: `[${from},${to})` }))
}

/**
 * Stores rows about released capacity (time or places that became free) in the database again. The server needs these
 * rows if it has not yet checked all waiting entries.
 */
export async function releasedReturn(tx: Database, freed: readonly Place[]): Promise<void> {
  await sql`
    select tell_freed(resource_id, session_id, during) from json_to_recordset(${JSON.stringify(freed)}::json)
      as (resource_id text, session_id text, during tstzrange)`.execute(tx)
}

/** Records that any time or any places of the business may have become free. The stored row has only null values. */
export async function releasedInsertAny(tx: Database): Promise<void> {
  await sql`select tell_freed(null, null, null)`.execute(tx)
}

export async function isAnythingReleased(db: Database): Promise<boolean> {
  return onlyRow(await sql<{ any: boolean }>`select exists (select from freed) as any`.execute(db)).any
}

/**
 * Tells whether the waitlist worker has work: time or places became free, an entry is past its deadline, or
 * reservations expired while entries wait.
 */
export async function isWaitlistDue(db: Database, now: Date): Promise<boolean> {
  const found = await sql<{ due: boolean }>`
    select exists (select from freed)
      or exists (select from waitlist_entries where over_at <= ${now})
      or somebody_waits(${now}) and (
        exists (select from claims where expires_at <= ${now}) or exists (select from seats where expires_at <= ${now})
      ) as due`.execute(db)
  return onlyRow(found).due
}
