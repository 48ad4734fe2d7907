import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isUnexpired } from '../bookings/booking-row.ts'
import { endings } from '../bookings/lifecycle.ts'
import type { AffectedReason } from './affected-booking-reasons.ts'
import type { AffectedUpcomingBooking } from './affected-bookings.ts'

/**
 * An upcoming booking, with the data that the server compares with a new business definition. For the booking of a
 * class, the resources and the location are those of the class session.
 */
export interface UpcomingBooking {
  id: string
  service_id: string
  service_name: string
  starts_at: Date
  ends_at: Date
  zone: string
  session_id: string | null
  resource_ids: string[]
  location_id: string | null
}

const PORTION = 1000

/** Yields all bookings that have not begun yet, earliest first. Canceled and expired bookings are left out. */
export async function* upcomingBookings(db: Database, now: Date): AsyncGenerator<UpcomingBooking> {
  let last: Pick<UpcomingBooking, 'starts_at' | 'id'> | undefined = { starts_at: now, id: '~' }
  while (last) {
    const { rows }: { rows: UpcomingBooking[] } = await sql<UpcomingBooking>`
      select b.id, b.service_id, b.record #>> '{service,name}' as service_name, b.starts_at, b.ends_at,
        b.record ->> 'zone' as zone, b.session_id, coalesce(s.resource_ids, b.resource_ids) as resource_ids,
        case when s.id is null then b.record #>> '{location,id}' else s.location_id end as location_id
      from bookings b left join sessions s on s.id = b.session_id
      where (b.starts_at, b.id) > (${last.starts_at}, ${last.id}) and b.status <> all (${endings}::text[])
        and ${isUnexpired(now)}
      order by b.starts_at, b.id limit ${PORTION}`.execute(db)
    yield* rows
    last = rows.length < PORTION ? undefined : rows.at(-1)
  }
}

/**
 * Stores the list of affected bookings, which are those that cannot take place as agreed under the new business
 * definition. Removes bookings that are no longer affected from the stored list.
 */
export async function affectedBookingsStore(
  tx: UnitOfWork,
  found: readonly AffectedUpcomingBooking[],
  now: Date,
): Promise<void> {
  const ids = found.map(({ booking }) => booking.id)
  await sql`delete from stranded_bookings where starts_at <= ${now} or booking_id <> all (${ids}::text[])`.execute(tx)
  const fresh = found.filter(({ isNew }) => isNew).map(({ booking, all }) => ({ id: booking.id, reasons: all }))
  await sql`
    insert into stranded_bookings (booking_id, starts_at, ends_at, resource_ids, location_id, reasons)
    select b.id, b.starts_at, b.ends_at, b.resource_ids, b.record #>> '{location,id}', fresh.reasons
    from json_to_recordset(${JSON.stringify(fresh)}::json) as fresh (id text, reasons text[])
    join bookings b using (id)
    on conflict (booking_id) do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      resource_ids = excluded.resource_ids, location_id = excluded.location_id, reasons = excluded.reasons`.execute(tx)
}

/**
 * Adds the bookings of closed class sessions to the list of affected bookings, which the staff see. If the list already
 * contains a booking with the same time, its row stays unchanged.
 */
export async function affectedBookingsOfClosedSessionsStore(
  tx: UnitOfWork,
  sessions: readonly string[],
  now: Date,
): Promise<void> {
  if (sessions.length === 0) return
  const reasons: AffectedReason[] = ['no_class']
  await sql`
    insert into stranded_bookings as s (booking_id, starts_at, ends_at, resource_ids, location_id, reasons)
    select id, starts_at, ends_at, resource_ids, record #>> '{location,id}', ${reasons}::text[]
    from bookings
    where session_id = any (${sessions}::text[]) and starts_at > ${now} and status <> all (${endings}::text[])
      and ${isUnexpired(now)}
    on conflict (booking_id) do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      resource_ids = excluded.resource_ids, location_id = excluded.location_id, reasons = excluded.reasons
    where (s.starts_at, s.ends_at) is distinct from (excluded.starts_at, excluded.ends_at)`.execute(tx)
}

export async function affectedBookingsOfSessionsDelete(tx: UnitOfWork, sessions: readonly string[]): Promise<void> {
  if (sessions.length === 0) return
  await sql`
    delete from stranded_bookings
    where booking_id in (select id from bookings where session_id = any (${sessions}::text[]))`.execute(tx)
}

export async function affectedBookingsDelete(tx: UnitOfWork, bookings: readonly string[]): Promise<void> {
  await sql`delete from stranded_bookings where booking_id = any (${bookings}::text[])`.execute(tx)
}
