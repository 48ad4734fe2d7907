import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { canAssignDistinct } from './assign-distinct-resources.ts'
import { isAt } from './resource-choices.ts'
import { workingTimeAt } from './resource-working-times.ts'
import { endOf, hasDuration } from './service-durations.ts'
import type { Plan } from './service-scheduling-plan.ts'
import type { Span } from './time-spans.ts'
import { daysWithin, withinDays } from './working-hours-and-closures.ts'

/**
 * The checks that a possible time must pass, in their order. Each name is the reason for a failed check. For each day
 * and location, the server finds the first failed check. Of all these checks, the server reports the last one in this
 * order, because there the request came closest to a possible time.
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
 * Lists the candidates at this location for each resource that the service requires. If the caller wants a certain
 * resource, the function returns one such list for each requirement. In this list, the wanted resource is the only
 * candidate for the requirement.
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
 * Finds the first failed check for a booking on this day, as an index of `STAGES`. The function tests only three kinds
 * of starts: the start of the range, opening times, and starts of shifts. Only then can a resource become available.
 */
function obstacleOn(plan: Plan, range: Span, place: string | undefined, kinds: ResourceDefinition[][]): number {
  const workingTime = workingTimeAt(plan, range, place)
  const spans = [workingTime.open, ...kinds.flat().map(workingTime.day)]
  const beginnings = spans.flat().map(([from]) => from)
  const starts = new Set([range[0], ...beginnings.filter((from) => range[0] < from && from < range[1])])
  // If a resource is at work for a long booking, it is also at work for the shortest booking. Therefore the function
  // tests only the shortest duration. The exceptions are rentals by the day, and durations that depend on the resource.
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
