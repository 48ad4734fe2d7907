import type { Config } from '../../infra/config/config.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** Servers may have what the one that is asked was not given. */
export const withoutKey = ({ payments }: BusinessDefinition, { stripe }: Pick<Config, 'stripe'>): string[] =>
  payments?.provider === 'stripe' && !stripe
    ? ['payments.provider is stripe: servers without STRIPE_SECRET_KEY, as it is here, take no cards.']
    : []
