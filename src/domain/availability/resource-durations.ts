import type { ResourceDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { durationsOf, milliseconds } from './durations.ts'
import type { Plan, Requirement } from './plan.ts'

/** Duration in milliseconds by resource id, when the duration depends on the resource. Otherwise empty. */
export function durationsByResource(
  service: ServiceDefinition,
  requirements: Requirement[],
): ReadonlyMap<string, number> {
  const { duration_rules = [] } = service
  const named = new Map(
    duration_rules.toReversed().flatMap(({ resources, fixed }) => resources.map((id) => [id, milliseconds(fixed)])),
  )
  const [usual = 0] = durationsOf(service)
  const whose = requirements.find(({ candidates }) => candidates.some(({ id }) => named.has(id)))
  return new Map(whose?.candidates.map(({ id }) => [id, named.get(id) ?? usual]))
}

type ResourceDurations = Pick<Plan, 'resourceDurations'>

export const hasDuration = (
  { resourceDurations }: ResourceDurations,
  { id }: ResourceDefinition,
  duration: number,
): boolean => (resourceDurations.get(id) ?? duration) === duration

/** The duration with these resources. Undefined when the duration does not depend on them. */
export const durationWith = (
  { resourceDurations }: ResourceDurations,
  ids: readonly string[],
): number | undefined => ids.map((id) => resourceDurations.get(id)).find((length) => length !== undefined)

/**
 * The duration of a booking after a move to other resources. It is the usual duration with them, unless a staff member
 * changed the duration of this booking.
 */
export function durationAfterMove(
  plan: ResourceDurations,
  { length, resources }: { length: number; resources: readonly string[] },
  to: readonly string[],
): number {
  const isAsUsual = durationWith(plan, resources) === length
  return (isAsUsual ? durationWith(plan, to) : undefined) ?? length
}

export const selectableDurations = ({
  durations,
  resourceDurations,
}: Pick<Plan, 'durations' | 'resourceDurations'>): readonly number[] =>
  resourceDurations.size === 0 && durations.length > 1 ? durations : []
