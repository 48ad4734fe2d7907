import { MINUTE } from '../../infra/time/time-units.ts'
import { dateIn, daysLater, firstInstantOf, rfc3339 } from '../../infra/time/time-zone.ts'

export interface QuietHours {
  quiet_from: string | null
  quiet_until: string | null
}

/**
 * Returns the end of the quiet hours if an instant is within them, or else undefined. The quiet hours are local times of
 * the business, such as 21:00 to 08:00.
 */
export function endOfQuietHours({ quiet_from: from, quiet_until: until }: QuietHours, zone: string, now: Date) {
  if (from === null || until === null || from === until) return undefined
  const time = rfc3339(zone, now.getTime()).slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDThh:mm'.length)
  const isOvernight = from > until
  const isQuiet = isOvernight ? time >= from || time < until : time >= from && time < until
  if (!isQuiet) return undefined
  const today = dateIn(zone, now.getTime())
  const day = isOvernight && time >= from ? daysLater(today, 1) : today
  const end = firstInstantOf(zone, Date.parse(`${day}T${until}:00Z`))
  // In autumn, clocks show the end a second time. The server then looks again a minute later.
  return new Date(end > now.getTime() ? end : now.getTime() + MINUTE)
}
