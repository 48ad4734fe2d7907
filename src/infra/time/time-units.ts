import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'

/** The lengths of units of time, such as a minute, in milliseconds. */
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const LAST_INSTANT_MS = 100_000_000 * DAY

/** The names of the weekdays, in the order of `Date.getUTCDay()`. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/**
 * Rounds a deadline down to whole seconds, because answers show only whole seconds. Otherwise, the server could accept
 * a call after the published deadline.
 */
export const deadlineAt = (instant: number): Date => new Date(Math.floor(instant / SECOND) * SECOND)

/**
 * The date from which the server counts durations. The length of a month or year depends on its start, so all durations
 * need the same start.
 */
const relativeTo = Temporal.PlainDate.from('2026-01-01')

/**
 * Caches the lengths of durations in seconds, because each booking needs the same durations of the business definition.
 */
const known = new LRUCache<string, number>({ max: 1000, memoMethod: computeSeconds })

const MAX_CACHED_LENGTH = 32

/**
 * Returns the length of an ISO 8601 duration, such as `PT90M`, in seconds. Returns infinity if the duration is too long
 * for the Temporal API.
 */
export const secondsOf = (duration: string): number =>
  duration.length > MAX_CACHED_LENGTH ? computeSeconds(duration) : known.memo(duration)

function computeSeconds(duration: string): number {
  try {
    return Temporal.Duration.from(duration).total({ unit: 'second', relativeTo })
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
