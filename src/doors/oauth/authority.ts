import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { policyOf } from '../../authentication/mechanisms.ts'
import type { ProviderMeans } from './provider.ts'

interface Loaded {
  provider: Provider
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** The authorization server as the business wants it now. */
export type Authority = () => Promise<Loaded>

/** Made on first use, with linking and without: a server that issues no tokens starts without either. */
export function authority(means: ProviderMeans): Authority {
  const known = new Map<boolean, Promise<Loaded>>()
  const load = async (linking: boolean) => {
    const { makeProvider } = await import('./provider.ts')
    const provider = await makeProvider(means, linking)
    return { provider, answer: provider.callback() }
  }
  return async () => {
    const { linking } = policyOf(await means.business.get(), means.config)
    const loaded = known.get(linking) ?? load(linking)
    known.set(linking, loaded)
    return loaded.catch((error) => {
      known.delete(linking)
      throw error
    })
  }
}
