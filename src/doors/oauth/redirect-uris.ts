import { PlainError } from '../../basics/plain-error.ts'
import type { Config } from '../../config/config.ts'
import { isThisMachine } from '../../net/addresses.ts'

function isUsable(uri: string, mode: Config['mode']): boolean {
  if (!URL.canParse(uri) || uri.includes('#')) return false
  const url = new URL(uri)
  const { protocol, username, password } = url
  const isHere = mode === 'development' && protocol === 'http:' && isThisMachine(url)
  return (protocol === 'https:' || isHere) && username === '' && password === ''
}

/** Where buyers may be sent back to: https, and in development this machine too. They are compared by the letter. */
export function checkRedirectUris(uris: readonly string[], { mode }: Pick<Config, 'mode'>): void {
  for (const uri of uris) {
    if (!isUsable(uri, mode))
      throw new PlainError(
        `${uri} cannot be a redirect URI: it takes an https address without a fragment, or in development one of this machine.`,
      )
  }
}
