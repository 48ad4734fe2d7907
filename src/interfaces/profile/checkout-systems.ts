import { onlineProvider } from '../../domain/payments/providers.ts'
import type { Config } from '../../infra/config/config.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { BusinessDefinition, BusinessProfile } from '../../protocol/types.generated.ts'

type CheckoutSystem = NonNullable<BusinessProfile['usp']['checkout_systems']>[number]

/**
 * How platforms can have a payment made, where anything is paid before the appointment: on a page of ours, if someone
 * takes money there, or by themselves, telling us of it.
 */
export function checkoutSystems(
  definition: BusinessDefinition,
  operations: Operation[],
  config: Config,
): CheckoutSystem[] {
  const isPaidAhead = definition.services.some(
    ({ policies }) => policies.requires_payment && policies.payment_timing !== 'at_service',
  )
  if (!isPaidAhead || !operations.some(({ id }) => id === 'confirmPayment')) return []
  return [...(onlineProvider(definition, config) ? (['redirect'] as const) : []), 'embedded']
}
