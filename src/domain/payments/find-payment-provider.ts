import type { Config } from '../../infra/config/read-config.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Provider } from './payment-provider.ts'

export interface Providers {
  find(name: string): Promise<Provider | undefined>
}

/**
 * Returns the payment provider on whose pages the buyers pay. The result is undefined if the staff collect the money,
 * or if this server has no key for the provider.
 */
export function onlineProvider(
  definition: BusinessDefinition | undefined,
  { stripe }: Pick<Config, 'stripe'>,
): 'stripe' | undefined {
  return definition?.payments?.provider === 'stripe' && stripe ? 'stripe' : undefined
}

/**
 * Returns an object that finds payment providers by name. It loads the code library of a provider at the first use. If
 * the staff collect the money, it loads no library.
 */
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
