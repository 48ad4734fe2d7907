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
 * Sends reminders before bookings, at the times that the business has set for the service or for all services. The
 * server skips reminders that were due before the last confirmation or move. If several reminders are due after an
 * outage, the buyer gets only one.
 */
export async function remind(
  { makeChange, business }: Dependencies<'makeChange' | 'business'>,
  now: Date,
): Promise<void> {
  const { usual, ofServices } = reminderTimes(await business.get())
  const longest = [usual, ...Object.values(ofServices)].flat().reduce((most, seconds) => Math.max(most, seconds), 0)
  if (longest === 0) return
  const zone = await zoneOf({ business })
  await makeChange(async (tx) => {
    const times = sql`coalesce(${JSON.stringify(ofServices)}::jsonb -> service_id, ${JSON.stringify(usual)}::jsonb)`
    const due = sql`starts_at - seconds::float8 * interval '1 second'`
    const { rows } = await sql<BookingRow>`
      update bookings set reminded_until = ${now}
      where id in (
        select id from bookings
        where status = 'confirmed'
          and starts_at > ${now} and starts_at <= ${now}::timestamptz + ${longest} * interval '1 second'
          and exists (
            select from jsonb_array_elements(${times}) as seconds where ${due} > reminded_until and ${due} <= ${now}
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

export function isRemindedLater(
  { starts_at, service_id }: Pick<BookingRow, 'starts_at' | 'service_id'>,
  definition: BusinessDefinition,
  now: Date,
): boolean {
  const service = definition.services.find(({ id }) => id === service_id)
  const times = service?.reminder ?? definition.reminder ?? USUAL
  return secondsIn(times).some((seconds) => starts_at.getTime() - seconds * 1000 > now.getTime())
}

/**
 * Returns the times of reminders, as seconds before the start of a booking. `ofServices` has the times of the services
 * with their own reminders, by the id of the service. An empty list means no reminders.
 */
function reminderTimes({ reminder = USUAL, services = [] }: Partial<BusinessDefinition> = {}) {
  const own = services.flatMap(({ id, reminder }) => (reminder ? [[id, secondsIn(reminder)] as const] : []))
  return { usual: secondsIn(reminder), ofServices: Object.fromEntries(own) }
}

const secondsIn = (durations: string | string[]): number[] => [durations].flat().map(secondsOf).filter(Boolean)
