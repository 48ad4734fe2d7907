import { secondsOf } from '../../infra/time/units.ts'
import type { DurationDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'

/**
 * The protocol has no duration per resource. If durations differ, the catalogue shows a range, and each slot shows its own
 * duration.
 */
export function publishedDuration({ duration, duration_rules = [] }: ServiceDefinition): DurationDefinition {
  const { fixed, ...others } = duration
  if (fixed === undefined || duration_rules.length === 0) return duration
  const lengths = [fixed, ...duration_rules.map((rule) => rule.fixed)].map((one) => Math.ceil(secondsOf(one)))
  const [min, max] = [Math.min(...lengths), Math.max(...lengths)]
  if (min === max) return duration
  const step = lengths.reduce((common, length) => divisor(common, length - min), 0)
  return { ...others, range: { min: written(min), max: written(max), step: written(step) } }
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other))

const written = (seconds: number) => (seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`)
