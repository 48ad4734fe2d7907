import type { Config } from '../../infra/config/config.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** A warning only, because other servers may have the key that this process lacks. */
export const missingStripeKeyWarnings = (
  { payments }: BusinessDefinition,
  { stripe }: Pick<Config, 'stripe'>,
): string[] =>
  payments?.provider === 'stripe' && !stripe
    ? ['payments.provider is stripe: servers without STRIPE_SECRET_KEY, as it is here, take no cards.']
    : []
