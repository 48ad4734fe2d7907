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
 * then sends neither mail to the buyer. Returns true if the server dropped mails. See docs/decisions/0112.
 */
export async function dropMailsOfReversedMove(tx: UnitOfWork, step: BookingStep, now: Date): Promise<boolean> {
  if (!isMoveByStaff(step)) return false
  const subject = `booking ${step.after.id}`
  const { rows } = await sql`
    with waiting as (
      select id, number, begun, attempts, snapshot -> 'place_before' as place from mails
      where subject = ${subject} and audience = 'buyer' and status = 'waiting'
      for update
    ), first_move as (
      select min(number) as number from waiting where place::jsonb = ${JSON.stringify(placeOf(step.after))}::jsonb
    )
    update mails set status = 'dropped', ended_at = ${now}, leased_until = null
    where id in (select id from waiting where number >= (select number from first_move))
      and not exists (
        select from waiting where number >= (select number from first_move)
          and (place is null or begun > 0 or attempts > 0))
    returning id`.execute(tx)
  return rows.length > 0
}
