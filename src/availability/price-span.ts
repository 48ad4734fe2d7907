import { DAY } from '../time/units.ts'
import { bookable } from './find-available-times.ts'
import type { Plan } from './plan.ts'
import { scheduledInAnyOrder } from './scheduled-times.ts'
import { sessionsWithin } from './sessions.ts'
import { slotAmount } from './slot-price.ts'
import type { Span } from './spans.ts'
import { daysWithin, withinDays } from './working-hours.ts'

/** What a unit costs at the times that are scheduled, in minor units. */
export interface PriceSpan {
  least: number
  most: number
}

/** Prices repeat by the week; what is planned meanwhile, such as somebody's days off, is seen too. */
const AHEAD = 28 * DAY
/** Of a hundred people not every time is looked at: whose price differs is among the first as well. */
const MOST_TIMES = 3_000

const known = new WeakMap<Plan, { day: number; span: PriceSpan | undefined }>()

/** From which price on the service can be had in the next weeks, and up to which; looked for once a day. */
export function priceSpan(plan: Plan, now: Date): PriceSpan | undefined {
  const day = Math.floor(now.getTime() / DAY)
  const before = known.get(plan)
  if (before?.day === day) return before.span
  const [opens, closes] = bookable(plan, [now.getTime(), Number.MAX_SAFE_INTEGER], now)
  const span = spanOf(plan, [opens, Math.min(closes, opens + AHEAD)])
  known.set(plan, { day, span })
  return span
}

function spanOf(plan: Plan, range: Span): PriceSpan | undefined {
  let [least, most, count] = [Number.POSITIVE_INFINITY, 0, 0]
  for (const time of pricedTimes(plan, range)) {
    const amount = slotAmount(plan, time)
    ;[least, most] = [Math.min(least, amount), Math.max(most, amount)]
    if (++count === MOST_TIMES) break
  }
  return count === 0 ? undefined : { least, most }
}

function* pricedTimes(plan: Plan, range: Span): Iterable<{ start: number; picks: string[] }> {
  if (plan.service.type === 'group')
    yield* sessionsWithin(plan, range).map(({ start, resources }) => ({ start, picks: resources }))
  else
    for (const day of daysWithin(plan.zone, range))
      yield* scheduledInAnyOrder(plan, withinDays(plan.zone, [day], range))
}
