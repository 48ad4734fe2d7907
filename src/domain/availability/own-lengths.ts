import type { ResourceDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { durationsOf, milliseconds } from './durations.ts'
import type { Plan, Requirement } from './plan.ts'

/** How long it takes with each of those who do it, where that is not the same with all: else nobody has a length of their own. */
export function ownLengths(service: ServiceDefinition, requirements: Requirement[]): ReadonlyMap<string, number> {
  const { duration_rules = [] } = service
  const named = new Map(
    duration_rules.toReversed().flatMap(({ resources, fixed }) => resources.map((id) => [id, milliseconds(fixed)])),
  )
  const [usual = 0] = durationsOf(service)
  const whose = requirements.find(({ candidates }) => candidates.some(({ id }) => named.has(id)))
  return new Map(whose?.candidates.map(({ id }) => [id, named.get(id) ?? usual]))
}

type Lengths = Pick<Plan, 'lengths'>

/** Whether it takes so long with this one. */
export const takes = ({ lengths }: Lengths, { id }: ResourceDefinition, duration: number): boolean =>
  (lengths.get(id) ?? duration) === duration

/** How long it takes with these; nothing where none of them has a length of their own. */
export const lengthWith = ({ lengths }: Lengths, ids: readonly string[]): number | undefined =>
  ids.map((id) => lengths.get(id)).find((length) => length !== undefined)

/** How long a booking takes with others: as long as it does with them, unless the staff had made it longer or shorter. */
export function lengthMoved(
  plan: Lengths,
  { length, resources }: { length: number; resources: readonly string[] },
  to: readonly string[],
): number {
  const isAsUsual = lengthWith(plan, resources) === length
  return (isAsUsual ? lengthWith(plan, to) : undefined) ?? length
}

/** The lengths between which a buyer chooses; with whom it takes longer is no such choice. */
export const lengthsToChoose = ({ durations, lengths }: Pick<Plan, 'durations' | 'lengths'>): readonly number[] =>
  lengths.size === 0 && durations.length > 1 ? durations : []
