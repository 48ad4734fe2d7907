import type { Config } from '../config/config.ts'
import { metadataOf } from '../tokens/resources.ts'
import type { Scope } from '../tokens/scopes.ts'

interface Wanted {
  /** The endpoint that was called. */
  path: string
  host: string | undefined
  scope?: Scope
  error?: 'invalid_token' | 'insufficient_scope'
}

/** What a refusal says to whoever has no good token: where it is told how to get one, and for what. */
export function bearerChallenge({ path, host, scope, error }: Wanted, config: Config): string {
  const told = [
    ...(error ? [`error="${error}"`] : []),
    ...(scope ? [`scope="${scope}"`] : []),
    `resource_metadata="${metadataOf(path, config, host)}"`,
  ]
  return `Bearer ${told.join(', ')}`
}
