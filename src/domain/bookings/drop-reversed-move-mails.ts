import { sql } from 'kysely'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { BookingRow } from './booking-row.ts'
import { type BookingStep, isMoveByStaff } from './notification-rules.ts'

export interface PlaceOfBooking {
  starts_at: string
  ends_at: string
  resources: string[]
  session: string | null
  location: string | null
}

export const placeOf = ({ starts_at, ends_at, resource_ids, session_id, record }: BookingRow): PlaceOfBooking => ({
  starts_at: starts_at.toISOString(),
  ends_at: ends_at.toISOString(),
  resources: resource_ids.toSorted(),
  session: session_id,
  location: record.location?.id ?? null,
})

/**
 * The staff may move a booking and then move it back before the buyer got a mail about the first move. The server then
 * sends neither mail to the buyer, unless the buyer moved the booking in between. Returns true if the buyer needs no mail. See docs/decisions/0112.
 */
export async function dropMailsOfReversedMove(tx: UnitOfWork, step: BookingStep, now: Date): Promise<boolean> {
  if (!isMoveByStaff(step)) return false
  const subject = `booking ${step.after.id}`
  const { rows } = await sql`
    with all_mails as (
      select id, number, status, begun, attempts,
        snapshot -> 'place_before' as place, (snapshot -> 'record' ->> 'reschedules')::integer as moves_by_buyer
      from mails where subject = ${subject} and audience = 'buyer'
      for update
    ), first_move as (
      select max(number) as number from all_mails
      where place::jsonb = ${JSON.stringify(placeOf(step.after))}::jsonb
    ), unsent as (
      select * from all_mails where number >= (select number from first_move)
    )
    update mails set status = 'dropped', ended_at = ${now}, leased_until = null
    where id in (select id from unsent)
      and not exists (
        select from unsent
        where place is null or status not in ('waiting', 'dropped') or begun > 0 or attempts > 0
          or moves_by_buyer is distinct from ${step.after.record.reschedules})
    returning id`.execute(tx)
  return rows.length > 0
}
