import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'

/** Days and hours have a length of their own; months and years are reckoned from this day. */
const relativeTo = Temporal.PlainDate.from('2026-01-01')

/** Mostly they are those of a definition, and asked for with each booking. */
const known = new LRUCache<string, number>({ max: 1000, memoMethod: reckoned })

const LONGEST_KNOWN = 32

/** The length of an ISO 8601 duration in seconds; infinite when it leaves the calendar. */
export const secondsOf = (duration: string): number =>
  duration.length > LONGEST_KNOWN ? reckoned(duration) : known.memo(duration)

function reckoned(duration: string): number {
  try {
    return Temporal.Duration.from(duration).total({ unit: 'second', relativeTo })
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
