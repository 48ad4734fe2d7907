import { DAY, secondsOf } from '../../infra/time/units.ts'
import { instantOf, offsetAt } from '../../infra/time/zone.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'
import type { Plan } from './plan.ts'

/** Rounded up to whole seconds, because slots begin and end at whole seconds. */
export const milliseconds = (duration: string | undefined): number =>
  duration === undefined ? 0 : Math.ceil(secondsOf(duration)) * 1000

/** Milliseconds, shortest first. */
export function durationsOf({ duration: { fixed, range }, scheduled_duration }: ServiceDefinition): number[] {
  if (!range) return [milliseconds(fixed ?? scheduled_duration)]
  const [min, max, step] = [milliseconds(range.min), milliseconds(range.max), milliseconds(range.step)]
  return Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, index) => min + index * step)
}

/**
 * A rental counts by the day when all its durations are in whole days. The place must be open only at pick-up and at
 * return.
 */
export function isByTheDay({ type, duration, scheduled_duration, duration_rules = [] }: ServiceDefinition): boolean {
  const { fixed, range } = duration
  const own = duration_rules.map((rule) => rule.fixed)
  const given = range ? [range.min, range.max, range.step] : [fixed ?? scheduled_duration ?? '', ...own]
  return type === 'rental' && given.every((duration) => /^P[^T]+$/.test(duration))
}

/** A rental by the day ends at the same local hour, even when the clocks change in between. */
export const endOf = ({ zone, byTheDay }: Plan, start: number, duration: number): number =>
  byTheDay ? instantOf(zone, start + offsetAt(zone, start) + duration) : start + duration

/** Upper bound in milliseconds. A rental by the day gets one extra day for clock changes. */
export const maxDuration = ({ durations, byTheDay }: Pick<Plan, 'durations' | 'byTheDay'>): number =>
  (durations.at(-1) ?? 0) + (byTheDay ? DAY : 0)
