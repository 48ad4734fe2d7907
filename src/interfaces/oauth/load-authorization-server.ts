import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { policyOf } from '../../core/authentication/authentication-policy.ts'
import type { ProviderDependencies } from './create-oidc-provider.ts'
import { offersOf } from './oauth-features.ts'

interface Loaded {
  provider: Provider
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** A function that returns the OAuth authorization server for the current business definition. */
export type Authority = () => Promise<Loaded>

/**
 * Loads the OAuth authorization server at its first use, once for each set of enabled features. A server that issues no
 * tokens never loads it.
 */
export function authority(dependencies: ProviderDependencies): Authority {
  const providers = new Map<string, Promise<Loaded>>()
  return async () => {
    const offers = offersOf(policyOf(await dependencies.business.get(), dependencies.config))
    const load = async () => {
      const { makeProvider } = await import('./create-oidc-provider.ts')
      const provider = await makeProvider(dependencies, offers)
      return { provider, answer: provider.callback() }
    }
    const key = JSON.stringify(offers)
    const loaded = providers.get(key) ?? load()
    providers.set(key, loaded)
    return loaded.catch((error) => {
      providers.delete(key)
      throw error
    })
  }
}
