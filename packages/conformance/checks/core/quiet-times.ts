import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { Skip } from '../../run/mismatch.ts'
import { bookingWindow, dateIn, days, type Slot } from '../../target/free-slots.ts'
import { dateInZone, timezoneOf } from './zones.ts'

/**
 * The suite takes slots for its bookings only up to this many days in the future. Later times change only if a real
 * buyer books.
 */
const BUSY_DAYS = 29
const WEEK_DAYS = 7

export interface QuietTimes {
  service: Members
  /** The input of the availability query that found the slots. */
  query: Members
  slots: Slot[]
}

/** Returns a range of days that no check of this run books. Undefined if the service cannot be booked so early. */
export function quietDays(service: Members): { start_date: string; end_date: string } | undefined {
  const last = Math.floor(days(bookingWindow(service).max_advance) ?? BUSY_DAYS + WEEK_DAYS) - 1
  if (last < BUSY_DAYS) return undefined
  return { start_date: dateIn(BUSY_DAYS), end_date: dateIn(Math.min(last, BUSY_DAYS + WEEK_DAYS - 1)) }
}

/** Finds a service with free times that no check books. Skips the check if there is none. */
export async function quietTimes(
  { anonymous, services }: CheckContext,
  description: string,
  fits: (service: Members) => boolean = () => true,
  input: Members = {},
): Promise<QuietTimes> {
  for (const service of services.filter(fits)) {
    const range = quietDays(service)
    if (!range) continue
    const query = { service_id: service.id, ...range, ...input }
    const slots = (await anonymous.call('queryAvailability', query)).success().slots as Slot[]
    if (slots.length > 1) return { service, query, slots }
  }
  throw new Skip(`The catalogue has no ${description} with free times more than ${BUSY_DAYS} days ahead.`)
}

/** Returns the day of the first of these times, in the timezone of the business. */
export const firstDay = ({ target }: CheckContext, { slots }: QuietTimes): string =>
  dateInZone(Date.parse(slots[0]?.start ?? ''), timezoneOf(target))

/** Returns an availability query for the day of the first of these times. */
export function firstDayQuery(c: CheckContext, times: QuietTimes): Members {
  const day = firstDay(c, times)
  return { ...times.query, start_date: day, end_date: day }
}
