import { type Plan, planOf } from '../../domain/availability/service-scheduling-plan.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * Returns the plans (hours, people and rooms) of the services on the booking pages, in the order that the business
 * chose.
 */
export function shownPlans(definition: BusinessDefinition): Plan[] {
  const { services, website } = definition
  const ids = website?.services ?? services.map(({ id }) => id)
  return ids.flatMap((id) => shownPlan(definition, id) ?? [])
}

/**
 * Returns the plan (hours, people and rooms) of a service. Returns undefined if the booking pages do not show the
 * service.
 */
export function shownPlan(definition: BusinessDefinition, id: string): Plan | undefined {
  const { website } = definition
  if (website?.services && !website.services.includes(id)) return undefined
  const plan = planOf(definition, id)
  return plan && (plan.service.status ?? 'active') === 'active' ? plan : undefined
}
