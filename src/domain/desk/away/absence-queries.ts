import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import { type BookingRow, bookingAsOf } from '../../bookings/booking-row.ts'
import { endings, isOver } from '../../bookings/lifecycle.ts'
import { type SessionState, sessionsList } from '../hours/class-session-queries.ts'
import { overlapping } from '../hours/day-schedule-queries.ts'
import { MOST_CLEARED } from '../shared/desk-list-limits.ts'
import type { Absence } from './absence.ts'

const isLive = sql`status <> all (${endings}::text[])`

/**
 * Finds the bookings that an absence affects, earliest first. Bookings of classes are left out, because the staff
 * decide about each class as a whole.
 */
export async function bookingsAffected(db: Database, away: Absence, now: Date): Promise<BookingRow[]> {
  const { range, resources, place, isEverybody } = away
  const { rows } = await sql<BookingRow>`
    select * from bookings
    where ${overlapping(range)}
      and ends_at > ${now} and session_id is null and ${isLive}
      and (${isEverybody} or resource_ids && ${resources}::text[] or record #>> '{location,id}' = ${place ?? null}::text)
    order by starts_at, id limit ${MOST_CLEARED + 1}`.execute(db)
  if (rows.length > MOST_CLEARED) throw tooMany()
  return rows.map((row) => bookingAsOf(row, now)).filter(({ status }) => !isOver(status))
}

export async function classesAffected(db: Database, away: Absence, now: Date): Promise<SessionState[]> {
  const { range, resources, place, isEverybody } = away
  const found = await sessionsList(db, { range }, now)
  return found.filter(
    ({ canceled_at, ends_at, resource_ids, location_id }) =>
      canceled_at === null &&
      ends_at > now &&
      (isEverybody ||
        resource_ids.some((id) => resources.includes(id)) ||
        (place !== undefined && location_id === place)),
  )
}

/** Locks these bookings and all bookings of these classes, in the order of their ids. */
export async function bookingsLock(
  tx: UnitOfWork,
  ids: readonly string[],
  sessions: readonly string[],
): Promise<BookingRow[]> {
  const { rows } = await sql<BookingRow>`
    select * from bookings
    where id = any (${ids}::text[]) or session_id = any (${sessions}::text[]) and ${isLive}
    order by id for update`.execute(tx)
  if (rows.length > MOST_CLEARED) throw tooMany()
  return rows
}

const tooMany = () =>
  invalidInput(
    `There are more than ${MOST_CLEARED} bookings in this time. Clear a part of it first, or cancel its ` +
      'classes one by one.',
    '$.end',
  )
