import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { BusySpan } from './source-queries.ts'

/**
 * The `from` and `where` clauses of an SQL query for open conflicts. In a conflict, a booking (`c.holder_id`) overlaps a
 * busy time (`t`) of another calendar. A conflict is open until the staff decide.
 */
export const openConflicts = sql`calendar_conflicts k
    join claims c on c.id = k.claim_id and c.holder_kind = 'booking'
    join busy_times t on (t.source_id, t.event) = (k.source_id, k.event)
    where k.kept_booking is null`

/** An SQL expression for the busy times of the conflicts of one booking, as a JSON array of `BusySpan`. */
export const conflictingTimes: RawBuilder<BusySpan[]> = sql`jsonb_agg(distinct jsonb_build_object(
    'resource_id', t.resource_id, 'from', extract(epoch from lower(t.during))::float8 * 1000,
    'to', extract(epoch from upper(t.during))::float8 * 1000))`

/** Lists the busy times of the open conflicts of a booking. */
export async function conflictsOfBooking(db: Database, booking: string): Promise<BusySpan[]> {
  const { rows } = await sql<{ busy: BusySpan[] | null }>`
    select ${conflictingTimes} as busy from ${openConflicts} and c.holder_id = ${booking}`.execute(db)
  return inOrder(rows[0]?.busy ?? [])
}

export const inOrder = (busy: readonly BusySpan[]): BusySpan[] =>
  busy.toSorted((one, other) => one.from - other.from || one.to - other.to)

/**
 * Stores that the staff keep a booking although somebody is busy in another calendar. Returns false if there is no such
 * conflict.
 */
export async function conflictsKeep(tx: UnitOfWork, booking: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('calendar_conflicts')
    .set({ kept_booking: booking })
    .where('kept_booking', 'is', null)
    .where('claim_id', 'in', (query) =>
      query.selectFrom('claims').select('id').where('holder_kind', '=', 'booking').where('holder_id', '=', booking),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
