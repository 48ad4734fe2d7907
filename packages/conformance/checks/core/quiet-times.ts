import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { Skip } from '../../run/mismatch.ts'
import { bookingWindow, dateIn, days, type Slot } from '../../target/free-slots.ts'

/** `FreeSlots` gives out times up to this many days ahead. Later times change only if a buyer books meanwhile. */
const BUSY_DAYS = 29
const WEEK_DAYS = 7

export interface QuietTimes {
  service: Members
  /** The input of the query. */
  query: Members
  slots: Slot[]
}

/** The days that no other check of this run books, or undefined if the service cannot be booked that far ahead. */
export function quietDays(service: Members): { start_date: string; end_date: string } | undefined {
  const last = Math.floor(days(bookingWindow(service).max_advance) ?? BUSY_DAYS + WEEK_DAYS) - 1
  if (last < BUSY_DAYS) return undefined
  return { start_date: dateIn(BUSY_DAYS), end_date: dateIn(Math.min(last, BUSY_DAYS + WEEK_DAYS - 1)) }
}

/** A service with free times that no other check books. Skips the check if there is none. */
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
