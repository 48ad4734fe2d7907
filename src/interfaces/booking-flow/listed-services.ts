import { type Plan, planOf } from '../../domain/availability/plan.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** The plans of the services that the pages show, in the order set by the business. */
export function shownPlans(definition: BusinessDefinition): Plan[] {
  const { services, website } = definition
  const ids = website?.services ?? services.map(({ id }) => id)
  return ids.flatMap((id) => shownPlan(definition, id) ?? [])
}

/** The plan of a service. Undefined if the pages do not show the service. */
export function shownPlan(definition: BusinessDefinition, id: string): Plan | undefined {
  const { website } = definition
  if (website?.services && !website.services.includes(id)) return undefined
  const plan = planOf(definition, id)
  return plan && (plan.service.status ?? 'active') === 'active' ? plan : undefined
}
