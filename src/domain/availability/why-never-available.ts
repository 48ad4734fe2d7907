import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { availableOf, type SearchedTime } from './available-times.ts'
import { scheduledLazily } from './cached-scheduled-times.ts'
import { isPartOf, type SlotWish } from './filter-times-by-resource.ts'
import { bookableRange } from './find-available-times.ts'
import { hasCapacity, largestParty } from './party-size-capacity.ts'
import type { Plan } from './service-scheduling-plan.ts'
import type { Span } from './time-spans.ts'
import { daysWithin, withinDays } from './working-hours-and-closures.ts'

export type NeverReason = 'not_at_location' | 'not_with_resource' | 'not_enough_room' | 'party_too_large'

/**
 * The reason why a request for this number of people, resource and location cannot succeed on any day. Undefined if the
 * request can succeed.
 */
export function whyNeverAvailable(
  plan: Plan,
  { party, resource, location }: SlotWish & { party: number },
): NeverReason | undefined {
  const { requirements, locations } = plan
  if (location !== undefined && !locations.includes(location)) return 'not_at_location'
  if (resource !== undefined && !isPartOf(plan, resource)) return 'not_with_resource'
  const hasCapacityFor = (one: ResourceDefinition) => hasCapacity(plan, one, party)
  const wished = requirements.flatMap(({ candidates }) => candidates.find(({ id }) => id === resource) ?? [])
  if (!wished.every(hasCapacityFor) || requirements.some(({ candidates }) => !candidates.some(hasCapacityFor)))
    return 'not_enough_room'
  if (party > largestParty(plan)) return 'party_too_large'
}

/**
 * The reason why buyers cannot book in any part of the requested range now, for example because the range is in the
 * past. Undefined if buyers can book in a part of the range. The function does not check whether times are free.
 */
export function whyOutsideWindow(
  plan: Plan,
  range: Span,
  now: Date,
): 'past' | 'too_soon' | 'too_far_ahead' | undefined {
  if (range[1] <= now.getTime()) return 'past'
  if (range[1] <= now.getTime() + plan.minAdvance) return 'too_soon'
  const [from, to] = bookableRange(plan, range, now)
  if (from >= to) return 'too_far_ahead'
}

/**
 * Whether the schedule has a time within the range that the function `fits` accepts. The time counts even if a buyer
 * has booked it.
 */
export async function isEverScheduled(
  plan: Plan,
  range: Span,
  fits: (time: SearchedTime) => boolean,
): Promise<boolean> {
  for (const day of daysWithin(plan.zone, range)) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    const scheduled = scheduledLazily(plan, withinDays(plan.zone, [day], range))
    for (const time of availableOf(scheduled, plan, new Map(), 1)) {
      if (fits(time)) return true
      if (isTimeSliceUsed()) await yieldToEventLoop()
    }
  }
  return false
}
