import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { type BookingRow, isUnexpired } from '../../bookings/booking-row.ts'
import { endings } from '../../bookings/lifecycle.ts'
import type { AffectedReason } from '../../definition/affected-booking-reasons.ts'

type StrandedRow = BookingRow & { reasons: AffectedReason[]; total: string }

/**
 * Lists the bookings that cannot take place as agreed under the current business definition, earliest first. Bookings
 * that the staff have already handled are not in the list.
 */
export async function strandedList(db: Database, limit: number, now: Date): Promise<StrandedRow[]> {
  const { rows } = await sql<StrandedRow>`
    select b.*, s.reasons, count(*) over () as total
    from ${strandedAt(now)}
    order by s.starts_at, s.booking_id limit ${limit}`.execute(db)
  return rows
}

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
export const strandedAt = (now: Date) => sql`stranded_bookings s join bookings b on b.id = s.booking_id
    where s.starts_at > ${now} and ${isAsItWas} and b.status <> all (${endings}::text[])
      and ${isUnexpired(now)}`

const isAsItWas = sql`
  (b.starts_at, b.ends_at, b.resource_ids) = (s.starts_at, s.ends_at, s.resource_ids)
  and b.record #>> '{location,id}' is not distinct from s.location_id`
