import { wholeDays } from '../../infra/time/time-zone.ts'
import { generateScheduledTimes, type ScheduledTime } from './generate-scheduled-times.ts'
import { type Plan, planCache } from './service-scheduling-plan.ts'
import type { Span } from './time-spans.ts'
import { daysWithin, withinDays } from './working-hours-and-closures.ts'

/**
 * The cached scheduled times of one service on one day. Bookings do not affect these times. `times` contains the times
 * that are already computed, and `remaining` is an iterator that computes the other times.
 */
interface CachedDay {
  times: ScheduledTime[]
  remaining: Iterator<ScheduledTime> | undefined
}

/**
 * The server computes the scheduled times of a day (times in the working hours, booked or free) in steps. Each step
 * computes this many times.
 */
const TIMES_PER_STEP = 64
/**
 * The size of the cache is a number of cached times. If a day is only partly computed, the cache also stores an
 * iterator for its other times. The iterator counts as this many times.
 */
const ITERATOR_WEIGHT = 200

/**
 * Caches the scheduled times of each service by day. The first argument limits the number of cached times. Scheduled
 * times depend only on the business definition. A new business definition gets new cache keys, so the cached times need
 * no expiry.
 */
const dayCache = planCache<CachedDay>(
  100_000,
  ({ times, remaining }) => times.length + (remaining ? ITERATOR_WEIGHT : 1),
)

export const scheduledTimes = (plan: Plan, range: Span): ScheduledTime[] => [...scheduledLazily(plan, range)]

/**
 * Generates the scheduled times within the range one by one. A day can have tens of thousands of times, but one page of
 * results needs only a few of them.
 */
export function* scheduledLazily(plan: Plan, range: Span): Generator<ScheduledTime> {
  for (const day of daysWithin(plan.zone, range)) yield* scheduledOn(plan, day, withinDays(plan.zone, [day], range))
}

function scheduledOn(plan: Plan, day: string, part: Span): Iterable<ScheduledTime> {
  const known = dayCache.get(plan, day)
  // A range of one millisecond means that the server looks up a single slot by its id. For this lookup, computing and
  // caching the whole day would take too long.
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
 * Computes the next scheduled times of a day. Returns false if the day has no more times. Several generators may read
 * the same cached day in turn, and share its computed times.
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
