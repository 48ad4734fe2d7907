import { LRUCache } from 'lru-cache'
import type { Plan, Requirement } from './plan.ts'
import { planNumber } from './plan-cache.ts'

const known = new LRUCache<string, Plan>({ max: 500 })

/** The plan for whoever wants these very people or things: nobody else has to be looked at. */
export function planWith(plan: Plan, ids: readonly string[]): Plan {
  if (ids.length === 0) return plan
  const name = `${planNumber(plan)} ${ids.join(' ')}`
  const narrowed = known.get(name) ?? narrow(plan, new Set(ids))
  known.set(name, narrowed)
  return narrowed
}

const narrow = (plan: Plan, ids: ReadonlySet<string>): Plan => ({
  ...plan,
  requirements: plan.requirements.map((one) => {
    const wanted = one.candidates.filter(({ id }) => ids.has(id) && isOnlyIn(plan, one, id))
    return one.selectable && wanted.length > 0 ? { ...one, candidates: wanted } : one
  }),
})

/** Who may be chosen for several things may have been asked for as either. */
const isOnlyIn = ({ requirements }: Plan, of: Requirement, wanted: string): boolean =>
  requirements.every((one) => one === of || !one.selectable || one.candidates.every(({ id }) => id !== wanted))
