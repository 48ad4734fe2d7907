import { sql } from 'kysely'
import { secondsOf } from '../business/duration.ts'
import { newId } from '../new-id.ts'
import type { Runtime } from '../runtime.ts'
import { ownersReceiver, recordEvent } from './record-event.ts'

const USUAL = 'PT24H'
const AT_ONCE = 500

/** Reminds of bookings that begin soon, each once for the time it has. What was booked later than that needs none. */
export async function remind({ db, business }: Runtime, now: Date): Promise<void> {
  const ahead = secondsOf((await business.get())?.reminder ?? USUAL) * 1000
  if (ahead === 0) return
  const until = new Date(now.getTime() + ahead)
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; profile: string }>`
      update bookings set reminded_for = starts_at
      where id in (
        select id from bookings
        where status = 'confirmed' and starts_at > ${now} and starts_at <= ${until}
          and reminded_for is distinct from starts_at and profile <> ''
          and created_at < starts_at - ${ahead} * interval '1 millisecond'
        order by starts_at limit ${AT_ONCE} for update skip locked
      )
      returning id, profile`.execute(tx)
    for (const booking of rows) {
      const id = newId('evt')
      const type = 'booking.reminder'
      const body = { event: type, event_id: id, booking_id: booking.id, timestamp: now.toISOString() }
      const subject = `booking ${booking.id}`
      await recordEvent(tx, { id, type, subject, content: { body } }, ownersReceiver(booking), now)
    }
  })
}
