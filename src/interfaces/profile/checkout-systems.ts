import { onlineProvider } from '../../domain/payments/providers.ts'
import type { Config } from '../../infra/config/config.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { BusinessDefinition, BusinessProfile } from '../../protocol/types.generated.ts'

type CheckoutSystem = NonNullable<BusinessProfile['usp']['checkout_systems']>[number]

/**
 * How platforms can arrange payments before the appointment. `redirect`: on a page of ours, if an online payment provider
 * is set up. `embedded`: the platform takes the money and reports the payment.
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
