import { Temporal } from 'temporal-polyfill'

/** Days and hours have a length of their own; months and years are reckoned from this day. */
const relativeTo = Temporal.PlainDate.from('2026-01-01')

/** The length of an ISO 8601 duration in seconds; infinite when it leaves the calendar. */
export function secondsOf(duration: string): number {
  try {
    return Temporal.Duration.from(duration).total({ unit: 'second', relativeTo })
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
