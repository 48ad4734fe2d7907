import { DAY, SECOND, secondsOf } from '../../infra/time/time-units.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Span } from './reader/busy-time-list.ts'

const LEAST_DAYS = 400
const MOST_DAYS = 3 * 366
/**
 * The window is longer than all booking windows by this number of days, because a calendar is read whole once a week.
 */
const MARGIN_DAYS = 31

/**
 * Returns the window in which the server computes the busy times of a calendar: from yesterday to the last day that
 * buyers can book. It begins and ends at midnight UTC, so that it changes only once a day.
 */
export function calendarWindow(definition: BusinessDefinition | undefined, now: Date): Span {
  const today = Math.floor(now.getTime() / DAY)
  return [(today - 1) * DAY, (today + 1 + daysAhead(definition)) * DAY]
}

/** A service without a limit can be booked at any time in the future. The server then looks ahead as far as it can. */
function daysAhead(definition: BusinessDefinition | undefined): number {
  const longest = (definition?.services ?? []).map(({ policies: { booking_window: window } }) =>
    window?.max_advance === undefined
      ? MOST_DAYS
      : Math.ceil((secondsOf(window.max_advance) * SECOND) / DAY) + MARGIN_DAYS,
  )
  return Math.min(MOST_DAYS, Math.max(LEAST_DAYS, ...longest))
}
