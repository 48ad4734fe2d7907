import { sql } from 'kysely'
import { zoneOf } from '../../core/business/definition-facts.ts'
import { receiversOfOwner } from '../../core/events/receivers.ts'
import { recordEvent } from '../../core/events/record-event.ts'
import { secondsOf } from '../../infra/time/time-units.ts'
import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'
import { notifyBuyer } from './notify-about-booking.ts'

const USUAL = 'PT24H'
const AT_ONCE = 500

/**
 * Sends reminders before bookings, at the times that the business has set. The server skips reminders that were due
 * before the last confirmation or move. If several reminders are due after an outage, the buyer gets only one.
 */
export async function remind(
  { makeChange, business }: Dependencies<'makeChange' | 'business'>,
  now: Date,
): Promise<void> {
  const ahead = secondsAhead(await business.get())
  if (ahead.length === 0) return
  const zone = await zoneOf({ business })
  await makeChange(async (tx) => {
    const due = sql`starts_at - seconds * interval '1 second'`
    const { rows } = await sql<BookingRow>`
      update bookings set reminded_until = ${now}
      where id in (
        select id from bookings
        where status = 'confirmed'
          and starts_at > ${now} and starts_at <= ${now}::timestamptz + ${Math.max(...ahead)} * interval '1 second'
          and exists (
            select from unnest(${ahead}::float8[]) as seconds where ${due} > reminded_until and ${due} <= ${now}
          )
        order by starts_at limit ${AT_ONCE} for update skip locked
      )
      returning *`.execute(tx)
    for (const booking of rows) {
      const id = newId('evt')
      const type = 'booking.reminder'
      const body = { event: type, event_id: id, booking_id: booking.id, timestamp: rfc3339Exact(zone, now) }
      const subject = `booking ${booking.id}`
      await recordEvent(tx, { id, type, subject, content: { body } }, receiversOfOwner(booking), now)
      notifyBuyer(tx, booking, { kind: 'booking.reminder', need: 'needed' }, now)
    }
  })
}

export const isRemindedLater = (
  { starts_at }: Pick<BookingRow, 'starts_at'>,
  definition: BusinessDefinition,
  now: Date,
): boolean => secondsAhead(definition).some((seconds) => starts_at.getTime() - seconds * 1000 > now.getTime())

/**
 * Returns the times of reminders, as seconds before the start of a booking. The list is empty if the business wants no
 * reminders.
 */
function secondsAhead(definition: BusinessDefinition | undefined): number[] {
  const wanted = definition?.reminder ?? USUAL
  return [wanted].flat().map(secondsOf).filter(Boolean)
}
