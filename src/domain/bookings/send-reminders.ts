import { sql } from 'kysely'
import { zoneOf } from '../../core/business/definition-facts.ts'
import { receiversOfOwner } from '../../core/events/receivers.ts'
import { recordEvent } from '../../core/events/record-event.ts'
import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'
import { notifyBuyer } from './notify-about-booking.ts'
import { allReminders, type Reminder, remindersOf } from './reminder-times.ts'
import { textNumberOf } from './text-message-consent.ts'

const AT_ONCE = 500

/**
 * Sends reminders before bookings, at the times that the business has set for the service or for all services. The
 * server skips reminders that were due before the last confirmation or move. If several reminders are due after an
 * outage, the buyer gets only one, through the channel of the last one.
 */
export async function remind(
  { makeChange, business }: Dependencies<'makeChange' | 'business'>,
  now: Date,
): Promise<void> {
  const { usual, ofServices } = allReminders(await business.get())
  const longest = [usual, ...ofServices.values()].flatMap(secondsOf).reduce((most, one) => Math.max(most, one), 0)
  if (longest === 0) return
  const zone = await zoneOf({ business })
  await makeChange(async (tx) => {
    const own = Object.fromEntries([...ofServices].map(([id, reminders]) => [id, secondsOf(reminders)]))
    const times = sql`coalesce(${JSON.stringify(own)}::jsonb -> service_id, ${JSON.stringify(secondsOf(usual))}::jsonb)`
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
      const by = channelOfLatest(booking, ofServices.get(booking.service_id) ?? usual, now)
      notifyBuyer(tx, booking, { kind: 'booking.reminder', need: 'needed', by }, now)
    }
  })
}

const secondsOf = (reminders: readonly Reminder[]): number[] => reminders.map(({ seconds }) => seconds)

/**
 * Returns the channel of the reminder that was due last. If the business set several reminders with different channels for
 * this time, the buyer gets all of them.
 */
function channelOfLatest(
  { starts_at }: Pick<BookingRow, 'starts_at'>,
  reminders: readonly Reminder[],
  now: Date,
): Reminder['by'] {
  const due = reminders.filter(({ seconds }) => starts_at.getTime() - seconds * 1000 <= now.getTime())
  const latest = Math.min(...due.map(({ seconds }) => seconds))
  const channels = new Set(due.filter(({ seconds }) => seconds === latest).map(({ by }) => by))
  return channels.size === 1 ? [...channels][0] : undefined
}

/**
 * Tells whether the buyer will certainly get a reminder by mail. A buyer who agreed to text messages may get a text message
 * instead.
 */
export function isRemindedByMail(
  { starts_at, service_id, people: { buyer } }: Pick<BookingRow, 'starts_at' | 'service_id' | 'people'>,
  definition: BusinessDefinition,
  now: Date,
): boolean {
  const canGetText = textNumberOf(buyer) !== undefined
  return remindersOf(service_id, definition).some(
    ({ seconds, by }) => starts_at.getTime() - seconds * 1000 > now.getTime() && !(by === 'text' && canGetText),
  )
}
