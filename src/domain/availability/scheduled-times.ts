import { wholeDays } from '../../infra/time/zone.ts'
import type { Plan } from './plan.ts'
import { planCache } from './plan-cache.ts'
import { type ScheduledTime, scheduledInOrder } from './scheduled-in-order.ts'
import type { Span } from './spans.ts'
import { daysWithin, withinDays } from './working-hours.ts'

/** The scheduled times of a whole day as far as somebody has asked for them, and where the others come from. */
interface KnownDay {
  times: ScheduledTime[]
  others: Iterator<ScheduledTime> | undefined
}

/** So many are found at a time. */
const AT_ONCE = 64
/** What others come from takes as much memory as so many times. */
const WEIGHT = 200

/** So many times in all. They change only with the definition, so they need no expiry. */
const days = planCache<KnownDay>(100_000, ({ times, others }) => times.length + (others ? WEIGHT : 1))

/** The scheduled times that begin within `range`, in the order in which they are listed. */
export const scheduledTimes = (plan: Plan, range: Span): ScheduledTime[] => [...scheduledOneByOne(plan, range)]

/** The same, each found only when it is asked for: a page of them, or whether there are any, needs a few of tens of thousands. */
export function* scheduledOneByOne(plan: Plan, range: Span): Generator<ScheduledTime> {
  for (const day of daysWithin(plan.zone, range)) yield* scheduledOn(plan, day, withinDays(plan.zone, [day], range))
}

function scheduledOn(plan: Plan, day: string, part: Span): Iterable<ScheduledTime> {
  const known = days.get(plan, day)
  // A lookup of a single instant, as for one slot id, is not worth beginning with the day.
  if (!known && part[1] - part[0] === 1) return scheduledInOrder(plan, part)
  const whole = wholeDays(plan.zone, day)
  const isWhole = part[0] === whole[0] && part[1] === whole[1]
  if (isWhole && known && !known.others) return known.times
  return timesOfDay(plan, day, known ?? { times: [], others: scheduledInOrder(plan, whole) }, part)
}

function* timesOfDay(plan: Plan, day: string, known: KnownDay, [from, to]: Span): Generator<ScheduledTime> {
  for (let next = 0; next < known.times.length || findMore(plan, day, known); next++) {
    const time = known.times[next]
    if (!time || time.start >= to) return
    if (time.start >= from) yield time
  }
}

/** Says whether there are more. Several may read the same day by turns. */
function findMore(plan: Plan, day: string, known: KnownDay): boolean {
  if (!known.others) return false
  const before = known.times.length
  for (let count = 0; count < AT_ONCE && known.others; count++) {
    const { done, value } = known.others.next()
    if (done) known.others = undefined
    else known.times.push(value)
  }
  days.set(plan, day, known)
  return known.times.length > before
}
