import { DAY } from '../../infra/time/time-units.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { rulesNaming, slotAmount } from '../pricing/slot-price.ts'
import { scheduledLazily } from './cached-scheduled-times.ts'
import { bookableRange } from './find-available-times.ts'
import { hoursKey } from './resource-working-times.ts'
import { sessionsInBatches } from './scheduled-class-sessions.ts'
import type { Plan } from './service-scheduling-plan.ts'
import type { Span } from './time-spans.ts'
import { daysWithin, withinDays } from './working-hours-and-closures.ts'

/**
 * The lowest and the highest price of a service at the times of its schedule. A price is for one person or item, in
 * minor units such as cents.
 */
export interface ScheduledPriceRange {
  least: number
  most: number
}

/**
 * The price range covers the next four weeks. Prices repeat weekly, and four weeks also include planned exceptions such
 * as days off or a change of season.
 */
const LOOKAHEAD_MS = 28 * DAY
const MAX_TIMES = 3_000

const known = new WeakMap<Plan, { day: number; span: Promise<ScheduledPriceRange | undefined> }>()

/**
 * The price range of a service in the next four weeks. The server computes the range once a day for each service, and
 * gives other work turns on the event loop meanwhile.
 */
export function scheduledPriceRange(plan: Plan, now: Date): Promise<ScheduledPriceRange | undefined> {
  const day = Math.floor(now.getTime() / DAY)
  const before = known.get(plan)
  if (before?.day === day) return before.span
  const [opens, closes] = bookableRange(plan, [now.getTime(), Number.MAX_SAFE_INTEGER], now)
  const span = spanOf(plan, [opens, Math.min(closes, opens + LOOKAHEAD_MS)])
  known.set(plan, { day, span })
  return span
}

async function spanOf(plan: Plan, range: Span): Promise<ScheduledPriceRange | undefined> {
  let [least, most, count] = [Number.POSITIVE_INFINITY, 0, 0]
  if (isTimeSliceUsed()) await yieldToEventLoop()
  for await (const times of pricedTimes(withRepresentatives(plan), range)) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    for (const time of times) {
      const amount = slotAmount(plan, time)
      ;[least, most] = [Math.min(least, amount), Math.max(most, amount)]
      if (++count === MAX_TIMES) return { least, most }
      if (isTimeSliceUsed()) await yieldToEventLoop()
    }
  }
  return count === 0 ? undefined : { least, most }
}

async function* pricedTimes(plan: Plan, range: Span): AsyncIterable<Iterable<{ start: number; picks: string[] }>> {
  if (plan.service.type === 'group')
    for await (const sessions of sessionsInBatches(plan, range))
      yield sessions.map(({ start, resources }) => ({ start, picks: resources }))
  else for (const day of daysWithin(plan.zone, range)) yield scheduledLazily(plan, withinDays(plan.zone, [day], range))
}

/**
 * Reduces the people, rooms or items that buyers can choose, so that the server computes fewer prices. Candidates with
 * the same hours, locations, price and duration have the same prices. Of such candidates, the function keeps only as
 * many as one booking can need.
 */
const withRepresentatives = (plan: Plan): Plan => ({
  ...plan,
  requirements: plan.requirements.map((one) =>
    one.selectable ? { ...one, candidates: representatives(plan, one.candidates) } : one,
  ),
})

function representatives(
  { service, requirements, resourceDurations }: Plan,
  candidates: ResourceDefinition[],
): ResourceDefinition[] {
  const groups = Map.groupBy(candidates, (one) =>
    JSON.stringify([hoursKey(one), one.locations, rulesNaming(service, one.id), resourceDurations.get(one.id)]),
  )
  return [...groups.values()].flatMap((ones) => ones.slice(0, requirements.length))
}
