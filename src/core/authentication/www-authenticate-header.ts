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
 * Returns the value of the header `WWW-Authenticate` for a caller without a valid token. The value contains the URL of
 * the OAuth metadata document, and the scope (permission) that the token must have.
 */
export function bearerChallenge({ path, host, scope, error }: Wanted, config: Config): string {
  const parameters = [
    ...faultIn(error),
    ...(scope ? [`scope="${scope}"`] : []),
    `resource_metadata="${metadataOf(path, config, host)}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}

/**
 * Returns the value of the header `WWW-Authenticate` for DPoP tokens. The value lists the accepted proof algorithms
 * (RFC 9449, section 7.1).
 */
export const dpopChallenge = (error?: Fault): string =>
  `DPoP ${[...faultIn(error), `algs="${PROOF_ALGORITHMS.join(' ')}"`].join(', ')}`

const faultIn = (error: Fault | undefined) => (error ? [`error="${error}"`] : [])
