import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Session } from '../../ledger/sessions.ts'

export interface SessionState extends Session {
  taken: number
  held: number
}

interface SessionQuery {
  id?: string
  service?: string | undefined
  /** Those that touch the time of this resource. */
  resource?: string
  range?: readonly [from: number, to: number]
}

/** Classes, those that were canceled included, and how full they are. */
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

/** Bookings of a class that are not over. */
export async function sessionBookings(db: Database, session: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings
    where session_id = ${session} and status in ('pending', 'requires_action', 'confirmed', 'in_progress')
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
