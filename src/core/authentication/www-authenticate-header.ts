import type { Config } from '../../infra/config/read-config.ts'
import type { Scope } from '../tokens/oauth-scopes.ts'
import { metadataOf, PROOF_ALGORITHMS } from '../tokens/token-audiences.ts'

type Fault = 'invalid_token' | 'insufficient_scope'

interface Wanted {
  path: string
  host: string | undefined
  scope?: Scope
  error?: Fault
}

/**
 * Returns the `WWW-Authenticate` value for a caller without a valid token. The value names the metadata document of the
 * resource and the required scope.
 */
export function bearerChallenge({ path, host, scope, error }: Wanted, config: Config): string {
  const parameters = [
    ...faultIn(error),
    ...(scope ? [`scope="${scope}"`] : []),
    `resource_metadata="${metadataOf(path, config, host)}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}

/** The `WWW-Authenticate` value for DPoP tokens. It names the accepted proof algorithms (RFC 9449, section 7.1). */
export const dpopChallenge = (error?: Fault): string =>
  `DPoP ${[...faultIn(error), `algs="${PROOF_ALGORITHMS.join(' ')}"`].join(', ')}`

const faultIn = (error: Fault | undefined) => (error ? [`error="${error}"`] : [])
