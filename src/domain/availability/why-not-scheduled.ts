import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { canAssignDistinct } from './assign-distinct-resources.ts'
import { isAt } from './resource-choices.ts'
import { workingTimeAt } from './resource-working-times.ts'
import { endOf, hasDuration } from './service-durations.ts'
import type { Plan } from './service-plan.ts'
import type { Span } from './time-spans.ts'
import { daysWithin, withinDays } from './working-hours-and-closures.ts'

/**
 * The obstacles that can prevent a scheduled time, in the order of the checks. On each day and at each location, the
 * first failed check is the obstacle. Of all these obstacles, the server reports the one that comes last in this order.
 */
const STAGES = ['closed', 'nobody_there', 'not_at_once', 'other_times'] as const

export type Unscheduled = (typeof STAGES)[number]

export async function whyUnscheduled(plan: Plan, range: Span, resource: string | undefined): Promise<Unscheduled> {
  let furthest = 0
  for (const day of daysWithin(plan.zone, range))
    for (const place of plan.locations) {
      if (isTimeSliceUsed()) await yieldToEventLoop()
      for (const kinds of kindsAt(plan, place, resource))
        furthest = Math.max(furthest, obstacleOn(plan, withinDays(plan.zone, [day], range), place, kinds))
    }
  return STAGES[furthest] ?? 'closed'
}

/**
 * Lists the candidates at this location for each required resource. If the caller names a resource, the function
 * returns one variant for each required resource. In this variant, only the named resource is a candidate for it.
 */
function kindsAt({ requirements }: Plan, place: string | undefined, wanted: string | undefined) {
  const kinds = requirements.map(({ candidates }) => candidates.filter((one) => isAt(one, place)))
  if (wanted === undefined) return [kinds]
  return kinds.map((ones, kind) =>
    kinds.with(
      kind,
      ones.filter(({ id }) => id === wanted),
    ),
  )
}

/**
 * Finds the first obstacle to a booking on this day, as an index of `STAGES`. It is enough to test the instants when a
 * resource can become available: the start of the range, opening times and starts of shifts.
 */
function obstacleOn(plan: Plan, range: Span, place: string | undefined, kinds: ResourceDefinition[][]): number {
  const workingTime = workingTimeAt(plan, range, place)
  const spans = [workingTime.open, ...kinds.flat().map(workingTime.day)]
  const beginnings = spans.flat().map(([from]) => from)
  const starts = new Set([range[0], ...beginnings.filter((from) => range[0] < from && from < range[1])])
  // A resource that is at work for a long duration is also at work for the shortest one. So only the shortest duration
  // is tested, except for rentals by the day and for durations that depend on the resource.
  const lengths = plan.byTheDay || plan.resourceDurations.size > 0 ? plan.durations : plan.durations.slice(0, 1)
  const attempts = [...starts]
    .flatMap((start) => lengths.map((length) => ({ start, end: endOf(plan, start, length), length })))
    .filter(({ start, end }) => workingTime.isOpen(start, end))
  if (attempts.length === 0) return STAGES.indexOf('closed')
  const present = attempts.map(({ start, end, length }) =>
    kinds.map((ones) => ones.filter((one) => hasDuration(plan, one, length) && workingTime.isThere(one, start, end))),
  )
  if (kinds.some((_, kind) => present.every((ones) => ones[kind]?.length === 0))) return STAGES.indexOf('nobody_there')
  const areTogether = present.some((ones) => canAssignDistinct(ones, ({ id }) => id))
  return STAGES.indexOf(areTogether ? 'other_times' : 'not_at_once')
}
