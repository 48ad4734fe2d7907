import { LRUCache } from 'lru-cache'
import type { Plan, Requirement } from './plan.ts'
import { planNumber } from './plan-cache.ts'

const known = new LRUCache<string, Plan>({ max: 500 })

/** The plan for whoever wants these very people or things, or just this place: no others have to be looked at. */
export function planWith(plan: Plan, ids: readonly string[], location?: string): Plan {
  if (ids.length === 0 && location === undefined) return plan
  const name = JSON.stringify([planNumber(plan), ids, location])
  const narrowed = known.get(name) ?? narrow(plan, new Set(ids), location)
  known.set(name, narrowed)
  return narrowed
}

const narrow = (plan: Plan, ids: ReadonlySet<string>, location: string | undefined): Plan => ({
  ...plan,
  locations: plan.locations.filter((one) => location === undefined || one === location),
  requirements: plan.requirements.map((one) => {
    const wanted = one.candidates.filter(({ id }) => ids.has(id) && isOnlyIn(plan, one, id))
    return one.selectable && wanted.length > 0 ? { ...one, candidates: wanted } : one
  }),
})

/** Who may be needed for several things may have been asked for as either. */
const isOnlyIn = ({ requirements }: Plan, of: Requirement, wanted: string): boolean =>
  requirements.every((one) => one === of || one.candidates.every(({ id }) => id !== wanted))
