import type { Config } from '../../infra/config/config.ts'
import { metadataOf, PROOF_ALGORITHMS } from '../tokens/resources.ts'
import type { Scope } from '../tokens/scopes.ts'

type Fault = 'invalid_token' | 'insufficient_scope'

interface Wanted {
  path: string
  host: string | undefined
  scope?: Scope
  error?: Fault
}

/** The WWW-Authenticate value for a caller without a valid token. It names the metadata document and the scope. */
export function bearerChallenge({ path, host, scope, error }: Wanted, config: Config): string {
  const parameters = [
    ...faultIn(error),
    ...(scope ? [`scope="${scope}"`] : []),
    `resource_metadata="${metadataOf(path, config, host)}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}

/** The same for DPoP tokens: it names the proof algorithms (RFC 9449 section 7.1). */
export const dpopChallenge = (error?: Fault): string =>
  `DPoP ${[...faultIn(error), `algs="${PROOF_ALGORITHMS.join(' ')}"`].join(', ')}`

const faultIn = (error: Fault | undefined) => (error ? [`error="${error}"`] : [])
