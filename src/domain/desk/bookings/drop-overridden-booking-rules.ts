import { MINUTE } from '../../../infra/time/time-units.ts'
import type { BusinessDefinition, ResourceDefinition } from '../../../protocol/types.generated.ts'
import { durationWith } from '../../availability/service-durations.ts'
import { type Plan, seatsOf } from '../../availability/service-scheduling-plan.ts'
import type { Rule } from './slot-request.ts'

/**
 * Copies the plan (the booking settings) of a service without the rules that the staff override. With the copy, a
 * booking can begin at any minute, and not only at the regular start times.
 */
export function planWithoutRules(plan: Plan, rules: readonly Rule[], party: number): Plan {
  const eased = plan.requirements.map(({ selectable, candidates }) => ({
    selectable,
    candidates: rules.includes('capacity') ? withEnoughSeats(plan, candidates, party) : candidates,
  }))
  if (!rules.includes('hours')) return { ...plan, interval: MINUTE, requirements: eased }
  return {
    ...plan,
    interval: MINUTE,
    business: alwaysOpen(plan.business),
    requirements: eased.map(({ selectable, candidates }) => ({
      selectable,
      candidates: candidates.map(withoutWorkingHours),
    })),
  }
}

/**
 * Returns a plan (the booking settings of a service) that allows this duration. If the service does not offer the
 * duration with these resources, the result is a copy of the plan with only this duration.
 */
export function withDuration(plan: Plan, duration: number, ids: readonly string[]): Plan {
  const isSold = plan.durations.includes(duration) && (durationWith(plan, ids) ?? duration) === duration
  return isSold ? plan : { ...plan, durations: [duration], resourceDurations: new Map() }
}

/** Returns the candidates for a required resource as if each were large enough for the party, largest first. */
const withEnoughSeats = (plan: Plan, candidates: ResourceDefinition[], party: number) =>
  candidates
    .toSorted((one, other) => seatsOf(plan, other) - seatsOf(plan, one))
    .map((one) => ({ ...one, seats: Math.max(seatsOf(plan, one), party) }))

function alwaysOpen({
  hours: _,
  closures: __,
  special_hours: ___,
  ...business
}: BusinessDefinition): BusinessDefinition {
  const { locations, ...rest } = business
  return { ...rest, ...(locations && { locations: locations.map(({ hours: _, ...place }) => place) }) }
}

function withoutWorkingHours(resource: ResourceDefinition): ResourceDefinition {
  const { hours: _, rota: _rota, special_hours: _special, time_off: _away, ...always } = resource
  return always
}
