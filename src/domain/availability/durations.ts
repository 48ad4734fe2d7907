import { secondsOf } from '../../infra/time/duration.ts'
import { DAY } from '../../infra/time/units.ts'
import { instantOf, offsetAt } from '../../infra/time/zone.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'
import type { Plan } from './plan.ts'

/** Slots begin and end at whole seconds. */
export const milliseconds = (duration: string | undefined): number =>
  duration === undefined ? 0 : Math.ceil(secondsOf(duration)) * 1000

/** Shortest first. */
export function durationsOf({ duration: { fixed, range }, scheduled_duration }: ServiceDefinition): number[] {
  if (!range) return [milliseconds(fixed ?? scheduled_duration)]
  const [min, max, step] = [milliseconds(range.min), milliseconds(range.max), milliseconds(range.step)]
  return Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, index) => min + index * step)
}

/** What is rented in days is fetched and brought back while it is open, and out over night in between. */
export function isByTheDay({ type, duration, scheduled_duration, duration_rules = [] }: ServiceDefinition): boolean {
  const { fixed, range } = duration
  const own = duration_rules.map((rule) => rule.fixed)
  const given = range ? [range.min, range.max, range.step] : [fixed ?? scheduled_duration ?? '', ...own]
  return type === 'rental' && given.every((duration) => /^P[^T]+$/.test(duration))
}

/** When it ends: what is rented by the day at the same hour, whatever the clocks do in the meantime. */
export const endOf = ({ zone, byTheDay }: Plan, start: number, duration: number): number =>
  byTheDay ? instantOf(zone, start + offsetAt(zone, start) + duration) : start + duration

/** No booking takes longer, on whatever day the clocks are changed. */
export const longestOf = ({ durations, byTheDay }: Pick<Plan, 'durations' | 'byTheDay'>): number =>
  (durations.at(-1) ?? 0) + (byTheDay ? DAY : 0)
