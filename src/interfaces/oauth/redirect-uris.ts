import { isRedirectUri } from '../../core/tokens/redirect-uri.ts'
import type { Config } from '../../infra/config/config.ts'
import { PlainError } from '../../infra/util/plain-error.ts'

/** Redirect URIs must use https, or in development the loopback address. The provider compares them as exact strings. */
export function checkRedirectUris(uris: readonly string[], { mode }: Pick<Config, 'mode'>): void {
  for (const uri of uris) {
    if (!isRedirectUri(uri, mode === 'development'))
      throw new PlainError(
        `${uri} cannot be a redirect URI: it must be an https address without a fragment, or during ` +
          'development an address of this machine.',
      )
  }
}
