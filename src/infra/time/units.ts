import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'

/** In milliseconds. */
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const LAST_INSTANT_MS = 100_000_000 * DAY

/** In the order of `Date.getUTCDay()`. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/**
 * Rounds a deadline down to whole seconds. Answers publish whole seconds, and nothing may count after its published
 * deadline.
 */
export const deadlineAt = (instant: number): Date => new Date(Math.floor(instant / SECOND) * SECOND)

/** Days and hours have a fixed length. Months and years are counted from this date. */
const relativeTo = Temporal.PlainDate.from('2026-01-01')

/** A cache, since each booking needs the durations of the definition again. */
const known = new LRUCache<string, number>({ max: 1000, memoMethod: computeSeconds })

const MAX_CACHED_LENGTH = 32

/** The length of an ISO 8601 duration in seconds, or infinity when Temporal cannot compute it. */
export const secondsOf = (duration: string): number =>
  duration.length > MAX_CACHED_LENGTH ? computeSeconds(duration) : known.memo(duration)

function computeSeconds(duration: string): number {
  try {
    return Temporal.Duration.from(duration).total({ unit: 'second', relativeTo })
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
