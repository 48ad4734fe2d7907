import { DAY, secondsOf } from '../../infra/time/time-units.ts'
import { instantOf, offsetAt } from '../../infra/time/time-zone.ts'
import type { ResourceDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import type { Plan, Requirement } from './service-scheduling-plan.ts'

/**
 * Converts an ISO 8601 duration to milliseconds. The function rounds up to whole seconds, because slots begin and end
 * at whole seconds.
 */
export const milliseconds = (duration: string | undefined): number =>
  duration === undefined ? 0 : Math.ceil(secondsOf(duration)) * 1000

/** The possible durations of a service in milliseconds, shortest first. */
export function durationsOf({ duration: { fixed, range }, scheduled_duration }: ServiceDefinition): number[] {
  if (!range) return [milliseconds(fixed ?? scheduled_duration)]
  const [min, max, step] = [milliseconds(range.min), milliseconds(range.max), milliseconds(range.step)]
  return Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, index) => min + index * step)
}

/**
 * Whether a service is a rental by the day, which means that all its durations are whole days. For such a rental, the
 * location must be open only at pick-up and at return.
 */
export function isByTheDay({ type, duration, scheduled_duration, duration_rules = [] }: ServiceDefinition): boolean {
  const { fixed, range } = duration
  const ruleDurations = duration_rules.map((rule) => rule.fixed)
  const durations = range ? [range.min, range.max, range.step] : [fixed ?? scheduled_duration ?? '', ...ruleDurations]
  return type === 'rental' && durations.every((duration) => /^P[^T]+$/.test(duration))
}

/**
 * The end of a booking. A rental by the day ends at the same local time as it starts, even if the clocks change in
 * between.
 */
export const endOf = ({ zone, byTheDay }: Plan, start: number, duration: number): number =>
  byTheDay ? instantOf(zone, start + offsetAt(zone, start) + duration) : start + duration

/**
 * The longest duration of the service in milliseconds. For a rental by the day, the function adds one day, because a
 * clock change can make a day longer.
 */
export const maxDuration = ({ durations, byTheDay }: Pick<Plan, 'durations' | 'byTheDay'>): number =>
  (durations.at(-1) ?? 0) + (byTheDay ? DAY : 0)

/**
 * The duration of a booking in milliseconds, by the id of the booked resource, such as a staff member. The map is empty
 * if no resource changes the duration.
 */
export function durationsByResource(
  service: ServiceDefinition,
  requirements: Requirement[],
): ReadonlyMap<string, number> {
  const { duration_rules = [] } = service
  const durationById = new Map(
    duration_rules.toReversed().flatMap(({ resources, fixed }) => resources.map((id) => [id, milliseconds(fixed)])),
  )
  const [usual = 0] = durationsOf(service)
  const requirement = requirements.find(({ candidates }) => candidates.some(({ id }) => durationById.has(id)))
  return new Map(requirement?.candidates.map(({ id }) => [id, durationById.get(id) ?? usual]))
}

type ResourceDurations = Pick<Plan, 'resourceDurations'>

export const hasDuration = (
  { resourceDurations }: ResourceDurations,
  { id }: ResourceDefinition,
  duration: number,
): boolean => (resourceDurations.get(id) ?? duration) === duration

/**
 * The duration of a booking with these people, rooms or items, in milliseconds. Undefined if none of them changes the
 * duration.
 */
export const durationWith = ({ resourceDurations }: ResourceDurations, ids: readonly string[]): number | undefined =>
  ids.map((id) => resourceDurations.get(id)).find((length) => length !== undefined)

/**
 * The duration of a booking after a move to other people or rooms, in milliseconds. If a staff member set the duration
 * of this booking, the duration stays the same. Otherwise, the new people or rooms determine the duration.
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
