import type { Config } from '../../infra/config/config.ts'
import { metadataOf, PROOF_ALGORITHMS } from '../tokens/resources.ts'
import type { Scope } from '../tokens/scopes.ts'

type Fault = 'invalid_token' | 'insufficient_scope'

interface Wanted {
  /** The endpoint that was called. */
  path: string
  host: string | undefined
  scope?: Scope
  error?: Fault
}

/** What a refusal says to whoever has no good token: where it is told how to get one, and for what. */
export function bearerChallenge({ path, host, scope, error }: Wanted, config: Config): string {
  const told = [
    ...faultIn(error),
    ...(scope ? [`scope="${scope}"`] : []),
    `resource_metadata="${metadataOf(path, config, host)}"`,
  ]
  return `Bearer ${told.join(', ')}`
}

/** The same to whoever binds tokens to a key: by what kind (RFC 9449 section 7.1). */
export const dpopChallenge = (error?: Fault): string =>
  `DPoP ${[...faultIn(error), `algs="${PROOF_ALGORITHMS.join(' ')}"`].join(', ')}`

const faultIn = (error: Fault | undefined) => (error ? [`error="${error}"`] : [])
