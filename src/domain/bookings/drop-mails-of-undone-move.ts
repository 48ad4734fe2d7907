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
 * The staff may move a booking and then move it back before the server has sent a mail about the first move. The server
 * then drops the waiting mails, unless the buyer moved the booking in between. Returns what to do with the mail about
 * the move back. `unneeded`: send no mail, because the buyer got no mail about the first move. `withheld`: withhold the
 * mail, because the staff withheld the mail about the first move. Undefined: send the mail. See docs/decisions/0112.
 */
export async function dropMailsOfReversedMove(
  tx: UnitOfWork,
  step: BookingStep,
  now: Date,
): Promise<'unneeded' | 'withheld' | undefined> {
  if (!isMoveByStaff(step) || step.mail?.isRequested) return undefined
  const subject = `booking ${step.after.id}`
  const { rows } = await sql<{ was: string }>`
    with all_mails as (
      select id, number, status, begun, attempts, snapshot ->> 'revision' as revision,
        snapshot -> 'place_before' as place, (snapshot -> 'record' ->> 'reschedules')::integer as moves_by_buyer
      from mails where subject = ${subject} and audience = 'buyer'
      for update
    ), move_away as (
      select revision from all_mails where place::jsonb = ${JSON.stringify(placeOf(step.after))}::jsonb
      order by number desc limit 1
    ), since_move as (
      select * from all_mails
      where number >= (select min(number) from all_mails where revision = (select revision from move_away))
    )
    update mails set status = 'dropped', ended_at = ${now}, leased_until = null
    from since_move where mails.id = since_move.id
      and not exists (
        select from since_move
        where place is null or status not in ('waiting', 'dropped') or begun > 0 or attempts > 0
          or moves_by_buyer is distinct from ${step.after.record.reschedules})
    returning since_move.status as was`.execute(tx)
  if (rows.length === 0) return undefined
  return rows.some(({ was }) => was === 'waiting') ? 'unneeded' : 'withheld'
}
