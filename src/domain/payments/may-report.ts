import { platformOf } from '../../core/authentication/buyer-principal.ts'
import { isPublished } from '../../core/authentication/published-keys.ts'
import { type Agent, type Caller, isStaff } from '../../protocol/caller.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * Whether the business takes a caller's word for a payment. Where its provider takes payments, only that of its staff and
 * of the platforms it names: a profile speaks through the keys it publishes, and never through a credential that whoever
 * books may hand on.
 */
export function mayReport(
  { payments }: Pick<BusinessDefinition, 'payments'>,
  { principal, mechanism, profile }: Pick<Caller, 'principal' | 'mechanism' | 'profile'>,
  agent: Agent | undefined,
): boolean {
  if ((payments?.provider ?? 'manual') === 'manual' || isStaff({ principal })) return true
  if (mechanism === 'booking_scoped_credential') return false
  const named = payments?.collected_by ?? []
  return named.includes(platformOf(principal)) || (isKeyOf(agent, principal) && named.includes(profile))
}

const isKeyOf = (agent: Agent | undefined, principal: string): boolean =>
  agent !== undefined && isPublished(principal, agent)
