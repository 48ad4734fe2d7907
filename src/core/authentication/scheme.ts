import { recordOf } from '../../infra/util/record-of.ts'
import type { Link, Role } from '../../protocol/caller.ts'
import type { Means } from '../../protocol/means.ts'
import type { Call } from '../../protocol/operation.ts'
import type { PlatformProfiles } from '../profiles/platform-profiles.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { Mechanism, Policy } from './mechanisms.ts'
import type { Nonces } from './nonces.ts'

export type AuthenticationMeans = Means<'db' | 'config' | 'operations'> & {
  profiles: PlatformProfiles
  nonces: Nonces
  accessTokens: AccessTokens
}

/** What a scheme proved. */
export interface Proven {
  principal: string
  /** Thumbprint of the key that was used, where there is one. */
  thumbprint?: string
  /** Of a person of the business. */
  role?: Role
  /** Of a platform that a buyer let act. */
  link?: Link
}

/** What a scheme may look at. */
export interface Attempt {
  call: Call
  means: AuthenticationMeans
  policy: Policy
  now: Date
}

/**
 * One way to prove who is calling. It answers nothing when the call does not attempt it, a principal when it does, and
 * throws when the attempt failed: a failed attempt ends the call, no other scheme is asked.
 */
export interface Scheme {
  mechanism: Mechanism
  authenticate(attempt: Attempt): Promise<Proven | undefined>
}

/** What a tool call says of its authentication in `_meta.usp.authorization`. */
export function declared({ binding, meta }: Call) {
  const authorization = binding === 'mcp' ? recordOf(recordOf(meta).usp).authorization : undefined
  if (authorization === undefined) return undefined
  const { mechanism, credential, proof } = recordOf(authorization)
  return { mechanism: textOf(mechanism), credential: textOf(credential), proof: textOf(proof) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The scheme and the value of the Authorization header. */
export function authorizationHeader({ headers }: Call): { scheme: string; value: string } | undefined {
  const [, scheme = '', value = ''] = /^(\S+)\s+(\S.*)$/.exec(String(headers.authorization ?? '').trim()) ?? []
  if (headers.authorization === undefined) return undefined
  return { scheme: scheme.toLowerCase(), value: value.trim() }
}
