import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { BusySpan } from './busy-time-queries.ts'

/**
 * The `from` and `where` clauses of an SQL query for open conflicts. In a conflict, a booking or a class (`c.holder_id`)
 * overlaps a busy time (`t`) of another calendar. A conflict is open until the staff decide.
 */
export const openConflicts = sql`calendar_conflicts k
    join claims c on c.id = k.claim_id and c.holder_kind in ('booking', 'session')
    join busy_times t on (t.source_id, t.event) = (k.source_id, k.event)
    where k.kept_booking is null`

/** An SQL query for the ids of all bookings with an open conflict. A conflict of a class concerns all its bookings. */
export const conflictingBookings = sql`
  select c.holder_id from ${openConflicts} and c.holder_kind = 'booking'
  union all
  select b.id from bookings b where b.session_id in (
    select c.holder_id from ${openConflicts} and c.holder_kind = 'session')`

/** An SQL condition for the claims (`c`) of one booking, or of the class of the booking. */
export const isClaimOf = (booking: RawBuilder<unknown>, session: RawBuilder<unknown>) =>
  sql`(c.holder_kind, c.holder_id) in (('booking', ${booking}), ('session', ${session}))`

/** An SQL expression for the busy times of the conflicts of one booking or class, as a JSON array of `BusySpan`. */
export const conflictingTimes: RawBuilder<BusySpan[]> = sql`jsonb_agg(distinct jsonb_build_object(
    'resource_id', t.resource_id, 'from', extract(epoch from lower(t.during))::float8 * 1000,
    'to', extract(epoch from upper(t.during))::float8 * 1000))`

interface Conflicting {
  id: string
  session_id: string | null
}

const claimOf = ({ id, session_id }: Conflicting) => isClaimOf(sql`${id}::text`, sql`${session_id}::text`)

/** Lists the busy times of the open conflicts of a booking or its class. */
export async function conflictsOfBooking(db: Database, booking: Conflicting): Promise<BusySpan[]> {
  const { rows } = await sql<{ busy: BusySpan[] | null }>`
    select ${conflictingTimes} as busy from ${openConflicts} and ${claimOf(booking)}`.execute(db)
  return inOrder(rows[0]?.busy ?? [])
}

/** Lists the busy times of the open conflicts of a class. */
export const conflictsOfClass = (db: Database, session_id: string): Promise<BusySpan[]> =>
  conflictsOfBooking(db, { id: '', session_id })

export const inOrder = (busy: readonly BusySpan[]): BusySpan[] =>
  busy.toSorted((one, other) => one.from - other.from || one.to - other.to)

/**
 * Stores that the staff keep a booking although somebody is busy in another calendar. If the conflict is of a class, the
 * whole class is kept. Buyers can then book it again, and the waitlist comes first. Returns false if there is no conflict.
 */
export async function conflictsKeep(tx: UnitOfWork, booking: Conflicting): Promise<boolean> {
  const { rows } = await sql`
    update calendar_conflicts k set kept_booking = c.holder_id
    from claims c where c.id = k.claim_id and k.kept_booking is null and ${claimOf(booking)}
    returning k.claim_id`.execute(tx)
  if (rows.length > 0 && booking.session_id !== null) {
    tx.markReleased()
    await sql`select tell_classes_freed(array[${booking.session_id}::text])`.execute(tx)
  }
  return rows.length > 0
}
