import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { type BookingRow, isUnexpired } from '../../bookings/booking-row.ts'
import { endings } from '../../bookings/lifecycle.ts'
import type { BusySpan } from '../../busy-times/busy-time-queries.ts'
import { conflictingBookings, conflictingTimes, isClaimOf, openConflicts } from '../../busy-times/conflict-queries.ts'
import { type EventQuestion, questionedSubjects, questionsAbout } from '../../busy-times/event-questions.ts'
import type { AffectedReason } from '../../definition/affected-booking-reasons.ts'

type AffectedRow = BookingRow & {
  reasons: AffectedReason[]
  busy: BusySpan[] | null
  events: EventQuestion[] | null
  total: string
}

/**
 * Lists the bookings that cannot take place as agreed, earliest first. They no longer fit the business definition, a
 * busy time of another calendar overlaps them, or their event in another calendar was deleted or changed. Bookings that
 * the staff have already handled are not in the list.
 */
export async function affectedList(db: Database, limit: number, now: Date): Promise<AffectedRow[]> {
  const { rows } = await sql<AffectedRow>`
    select b.*, coalesce(s.reasons, '{}') as reasons, busy.times as busy,
      (${questionsAbout(sql.ref('b.id'), sql.ref('b.session_id'))}) as events, count(*) over () as total
    from (${affectedIds(now)}) affected
    join bookings b on b.id = affected.id
    left join stranded_bookings s on s.booking_id = b.id and ${isAsItWas}
    left join lateral (
      select ${conflictingTimes} as times from ${openConflicts} and ${isClaimOf(sql.ref('b.id'), sql.ref('b.session_id'))}) busy on true
    order by b.starts_at, b.id limit ${limit}`.execute(db)
  return rows
}

/** An SQL query for the ids of all bookings that cannot take place as agreed. */
export const affectedIds = (now: Date) => sql`
  select b.id from ${strandedAt(now)}
  union all
  select b.id from bookings b
  where b.id in (${conflictingBookings}) and b.starts_at > ${now} and ${isUnended(now)}
    and not exists (select from stranded_bookings s where s.booking_id = b.id and ${isAsItWas})
  union
  select b.id from bookings b
  where (b.id in (${questionedSubjects}) or b.session_id in (${questionedSubjects})) and b.starts_at > ${now} and ${isUnended(now)}`

/**
 * Removes a booking from the list of affected bookings, because the staff keep it unchanged. Returns false if the
 * booking has changed since it entered the list, and then the booking stays in the list.
 */
export async function strandedKeep(tx: UnitOfWork, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from stranded_bookings s using bookings b
    where s.booking_id = ${id} and b.id = s.booking_id and ${isAsItWas} returning s.booking_id`.execute(tx)
  return rows.length > 0
}

/**
 * The `from` and `where` clauses of an SQL query for the affected bookings that the staff still have to handle.
 * Bookings that have begun, ended or changed since they entered the list are left out.
 */
const strandedAt = (now: Date) => sql`stranded_bookings s join bookings b on b.id = s.booking_id
    where s.starts_at > ${now} and ${isAsItWas} and ${isUnended(now)}`

const isUnended = (now: Date) => sql`b.status <> all (${endings}::text[]) and ${isUnexpired(now)}`

const isAsItWas = sql`
  (b.starts_at, b.ends_at, b.resource_ids) = (s.starts_at, s.ends_at, s.resource_ids)
  and b.record #>> '{location,id}' is not distinct from s.location_id`
