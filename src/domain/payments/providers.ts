import type { Config } from '../../infra/config/config.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Provider } from './provider.ts'

export interface Providers {
  find(name: string): Promise<Provider | undefined>
}

/**
 * The provider of the business's own payment pages. Undefined if the staff collect the money or the configuration lacks a
 * key.
 */
export function onlineProvider(
  definition: BusinessDefinition | undefined,
  { stripe }: Pick<Config, 'stripe'>,
): 'stripe' | undefined {
  return definition?.payments?.provider === 'stripe' && stripe ? 'stripe' : undefined
}

/** Loads the provider's library on first use. A business whose staff collect the money starts without it. */
export function paymentProviders({ stripe: account }: Pick<Config, 'stripe'>): Providers {
  let loaded: Promise<Provider> | undefined
  return {
    async find(name) {
      if (name !== 'stripe' || !account) return undefined
      loaded ??= import('./stripe.ts').then(({ stripe }) => stripe(account))
      return loaded
    },
  }
}
