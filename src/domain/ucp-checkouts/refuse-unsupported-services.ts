import type { Config } from '../../infra/config/read-config.ts'
import type { Agent } from '../../protocol/caller-types.ts'
import type { Capability } from '../../protocol/capabilities.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import type { Slot } from '../availability/find-slot.ts'
import { takesTokens } from '../payments/payment-token-handlers.ts'
import type { Agreed } from './checkout-row.ts'
import { ucpRefusal } from './error-messages.ts'

/** Refuses a service that this platform cannot buy in a UCP checkout. */
export function refuseUnsold(
  { plan: { service, business } }: Slot,
  { agent, config }: { agent: Agent | undefined; config: Pick<Config, 'stripe'> },
): void {
  const { requires_payment, payment_timing } = service.policies
  requireCapability(agent, 'dev.usp-protocol.services.paid_bookings')
  const isPaidAhead = requires_payment && payment_timing !== 'at_service'
  if (isPaidAhead && !takesTokens(business, config))
    throw ucpRefusal('item_unavailable', 'This checkout takes no payments for this service.', '$.booking.service_id')
  if (payment_timing === 'deposit_required' || payment_timing === 'at_service')
    requireCapability(agent, 'dev.ucp.common.payment.terms')
  if (payment_timing === 'at_service') requireCapability(agent, PAY_AT_SERVICE)
}

const PAY_AT_SERVICE = 'dev.usp-protocol.services.pay_at_service'

/**
 * Refuses a checkout whose whole price is due at the visit, if this platform does not know such terms. Such a term can
 * also come from a deposit that rounds to zero.
 */
export function refuseUnknownTerm({ is_offline }: Agreed, agent: Agent | undefined): void {
  if (is_offline) requireCapability(agent, PAY_AT_SERVICE)
}

/**
 * Refuses a platform whose profile does not list this capability (a protocol feature). The platform would not
 * understand the terms of the checkout without it.
 */
function requireCapability(agent: Agent | undefined, name: Capability): void {
  if (agent && !agent.agreed.has(name))
    throw new BusinessRefusal('capabilities_incompatible', `The platform profile does not offer ${name}.`)
}
