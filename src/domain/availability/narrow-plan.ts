import { LRUCache } from 'lru-cache'
import type { Plan, Requirement } from './plan.ts'
import { planNumber } from './plan-cache.ts'

const narrowedPlans = new LRUCache<string, Plan>({ max: 500 })

interface Wanted {
  ids?: readonly (string | undefined)[]
  location?: string | undefined
  duration?: number | undefined
}

/** Narrows the plan to the wish, so the search skips all other resources. */
export function narrowPlan(plan: Plan, { ids = [], location, duration }: Wanted): Plan {
  const wanted = new Set(ids.filter((id) => id !== undefined))
  if (wanted.size === 0 && location === undefined && duration === undefined) return plan
  const name = JSON.stringify([planNumber(plan), [...wanted], location, duration])
  const narrowed = narrowedPlans.get(name) ?? {
    ...plan,
    durations: plan.durations.filter((one) => duration === undefined || one === duration),
    locations: plan.locations.filter((one) => location === undefined || one === location),
    requirements: withOnly(plan, wanted),
  }
  narrowedPlans.set(name, narrowed)
  return narrowed
}

const withOnly = (plan: Plan, ids: ReadonlySet<string>): Requirement[] =>
  plan.requirements.map((one) => {
    const wanted = one.candidates.filter(({ id }) => ids.has(id) && isOnlyIn(plan, one, id))
    return one.selectable && wanted.length > 0 ? { ...one, candidates: wanted } : one
  })

/** A resource that can fill several requirements does not narrow any of them: the wish may refer to each. */
const isOnlyIn = ({ requirements }: Plan, of: Requirement, wanted: string): boolean =>
  requirements.every((one) => one === of || one.candidates.every(({ id }) => id !== wanted))
