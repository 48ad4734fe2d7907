import { DAY } from '../../infra/time/units.ts'
import { isShareUsed, letOthers } from '../../infra/util/long-work.ts'
import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { bookable } from './find-available-times.ts'
import type { Plan } from './plan.ts'
import { rulesNaming } from './price-rules.ts'
import { scheduledOneByOne } from './scheduled-times.ts'
import { sessionsByTurns } from './sessions.ts'
import { slotAmount } from './slot-price.ts'
import type { Span } from './spans.ts'
import { daysWithin, withinDays } from './working-hours.ts'
import { hoursKey } from './working-time.ts'

/** Price range of one unit at the scheduled times, in minor units. */
export interface PriceSpan {
  least: number
  most: number
}

/** Prices repeat weekly. Four weeks also cover planned exceptions such as days off or a change of season. */
const AHEAD = 28 * DAY
const MOST_TIMES = 3_000

const known = new WeakMap<Plan, { day: number; span: Promise<PriceSpan | undefined> }>()

/** The price range of the next weeks. Computed once a day per plan; yields to the event loop. */
export function priceSpan(plan: Plan, now: Date): Promise<PriceSpan | undefined> {
  const day = Math.floor(now.getTime() / DAY)
  const before = known.get(plan)
  if (before?.day === day) return before.span
  const [opens, closes] = bookable(plan, [now.getTime(), Number.MAX_SAFE_INTEGER], now)
  const span = spanOf(plan, [opens, Math.min(closes, opens + AHEAD)])
  known.set(plan, { day, span })
  return span
}

async function spanOf(plan: Plan, range: Span): Promise<PriceSpan | undefined> {
  let [least, most, count] = [Number.POSITIVE_INFINITY, 0, 0]
  if (isShareUsed()) await letOthers()
  for await (const times of pricedTimes(withFew(plan), range)) {
    if (isShareUsed()) await letOthers()
    for (const time of times) {
      const amount = slotAmount(plan, time)
      ;[least, most] = [Math.min(least, amount), Math.max(most, amount)]
      if (++count === MOST_TIMES) return { least, most }
      if (isShareUsed()) await letOthers()
    }
  }
  return count === 0 ? undefined : { least, most }
}

async function* pricedTimes(plan: Plan, range: Span): AsyncIterable<Iterable<{ start: number; picks: string[] }>> {
  if (plan.service.type === 'group')
    for await (const sessions of sessionsByTurns(plan, range))
      yield sessions.map(({ start, resources }) => ({ start, picks: resources }))
  else
    for (const day of daysWithin(plan.zone, range)) yield scheduledOneByOne(plan, withinDays(plan.zone, [day], range))
}

/**
 * Keeps a few candidates of each group with the same hours, price and duration. One candidate per requirement is enough.
 */
const withFew = (plan: Plan): Plan => ({
  ...plan,
  requirements: plan.requirements.map((one) =>
    one.selectable ? { ...one, candidates: fewOf(plan, one.candidates) } : one,
  ),
})

function fewOf({ service, requirements, lengths }: Plan, candidates: ResourceDefinition[]): ResourceDefinition[] {
  const alike = Map.groupBy(candidates, (one) =>
    JSON.stringify([hoursKey(one), one.locations, rulesNaming(service, one.id), lengths.get(one.id)]),
  )
  return [...alike.values()].flatMap((ones) => ones.slice(0, requirements.length))
}
