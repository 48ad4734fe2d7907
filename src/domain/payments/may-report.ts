import { isPublished } from '../../core/authentication/bind-identity.ts'
import { platformOf } from '../../core/authentication/principals.ts'
import { type Agent, type Caller, isStaff } from '../../protocol/caller.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * Whether the business trusts the caller to report payments. If a provider collects them, it trusts only the staff and the
 * platforms in `collected_by`. A profile counts only with a key that it publishes. A booking credential never counts,
 * because a buyer may hand it on.
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
