import { wholeDays } from '../../infra/time/zone.ts'
import { generateScheduledTimes, type ScheduledTime } from './generate-scheduled-times.ts'
import { type Plan, planCache } from './plan.ts'
import type { Span } from './spans.ts'
import { daysWithin, withinDays } from './working-hours.ts'

/** The scheduled times of a day that callers have iterated already, and the iterator that generates the rest. */
interface CachedDay {
  times: ScheduledTime[]
  remaining: Iterator<ScheduledTime> | undefined
}

/** The number of scheduled times that one step computes. */
const TIMES_PER_STEP = 64
/** The weight of an unfinished iterator in the cache. The unit is one cached time. */
const ITERATOR_WEIGHT = 200

/**
 * Cached scheduled times by plan and day. The first number is the most times in the whole cache. Times change only with
 * the definition, so they need no expiry.
 */
const dayCache = planCache<CachedDay>(
  100_000,
  ({ times, remaining }) => times.length + (remaining ? ITERATOR_WEIGHT : 1),
)

export const scheduledTimes = (plan: Plan, range: Span): ScheduledTime[] => [...scheduledLazily(plan, range)]

/**
 * Generates the scheduled times within the range one by one. A page of results, or the question if any time is free,
 * needs only a few of tens of thousands of times.
 */
export function* scheduledLazily(plan: Plan, range: Span): Generator<ScheduledTime> {
  for (const day of daysWithin(plan.zone, range)) yield* scheduledOn(plan, day, withinDays(plan.zone, [day], range))
}

function scheduledOn(plan: Plan, day: string, part: Span): Iterable<ScheduledTime> {
  const known = dayCache.get(plan, day)
  // A lookup of a single instant, for one slot id, does not start a cache entry for its day.
  if (!known && part[1] - part[0] === 1) return generateScheduledTimes(plan, part)
  const whole = wholeDays(plan.zone, day)
  const isWhole = part[0] === whole[0] && part[1] === whole[1]
  if (isWhole && known && !known.remaining) return known.times
  return timesOfDay(plan, day, known ?? { times: [], remaining: generateScheduledTimes(plan, whole) }, part)
}

function* timesOfDay(plan: Plan, day: string, known: CachedDay, [from, to]: Span): Generator<ScheduledTime> {
  for (let next = 0; next < known.times.length || findMore(plan, day, known); next++) {
    const time = known.times[next]
    if (!time || time.start >= to) return
    if (time.start >= from) yield time
  }
}

/**
 * Computes the next scheduled times of a day, and tells if there were any. Several callers may iterate the same day at
 * once.
 */
function findMore(plan: Plan, day: string, known: CachedDay): boolean {
  if (!known.remaining) return false
  const before = known.times.length
  for (let count = 0; count < TIMES_PER_STEP && known.remaining; count++) {
    const { done, value } = known.remaining.next()
    if (done) known.remaining = undefined
    else known.times.push(value)
  }
  dayCache.set(plan, day, known)
  return known.times.length > before
}
