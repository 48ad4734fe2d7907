import { openingsWithin } from '../availability/openings.ts'
import { type Plan, planOf } from '../availability/plan.ts'
import type { Fault } from '../protocol/errors.ts'
import type { BusinessDefinition } from '../protocol/types.generated.ts'
import { fault } from './definition-rules.ts'

const DAY = 86_400_000
/** A week like any other, in which hardly a clock is changed. */
const MONDAY = Date.UTC(2026, 5, 1)

/** Services for which there is no time in any week, days off and absences aside. */
export function* neverHad({ closures: _, resources = [], ...definition }: BusinessDefinition): Iterable<Fault> {
  const usual = { ...definition, resources: resources.map(({ time_off: _, ...resource }) => resource) }
  for (const [index, { id, type, status = 'active' }] of definition.services.entries()) {
    const plan = type === 'group' || status !== 'active' ? undefined : planOf(usual, id)
    if (!plan || isEverHad(plan)) continue
    const hint = type === 'rental' && !plan.byTheDay ? ' What is rented in days, such as P2D, is out over night.' : ''
    yield fault(
      `services.${index}.duration`,
      `can never be had: in no week are the place and all that it takes there for so long.${hint}`,
    )
  }
}

/** If it fits at all, the shortest does, and but for whole days at the beginning of the hours. */
function isEverHad(plan: Plan): boolean {
  const interval = plan.byTheDay ? plan.interval : DAY
  const shortest = { ...plan, durations: plan.durations.slice(0, 1), interval }
  return [0, 1, 2, 3, 4, 5, 6, 7].some((nth) => {
    const from = MONDAY + nth * DAY
    return openingsWithin(shortest, [from, from + DAY]).length > 0
  })
}
