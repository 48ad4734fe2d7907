import type { Config } from '../../infra/config/config.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Provider } from './provider.ts'

export interface Providers {
  /** The one by this name; nothing where the settings know none. */
  named(name: string): Promise<Provider | undefined>
}

/** Through whom the business takes money on its own pages; nothing where the staff do, or the settings lack a key. */
export function onlineProvider(
  definition: BusinessDefinition | undefined,
  { stripe }: Pick<Config, 'stripe'>,
): 'stripe' | undefined {
  return definition?.payments?.provider === 'stripe' && stripe ? 'stripe' : undefined
}

/** Loaded on first use: a business whose staff take the money starts without it. */
export function paymentProviders({ stripe: account }: Pick<Config, 'stripe'>): Providers {
  let loaded: Promise<Provider> | undefined
  return {
    async named(name) {
      if (name !== 'stripe' || !account) return undefined
      loaded ??= import('./stripe.ts').then(({ stripe }) => stripe(account))
      return loaded
    },
  }
}
