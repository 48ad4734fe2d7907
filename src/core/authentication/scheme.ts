import { asRecord } from '../../infra/util/records.ts'
import type { AccountLink, Role } from '../../protocol/caller.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Call } from '../../protocol/operation.ts'
import type { PlatformProfiles } from '../profiles/platform-profiles.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { Mechanism, Policy } from './mechanisms.ts'
import type { Nonces } from './nonces.ts'

export type AuthenticationDependencies = Dependencies<'db' | 'config' | 'operations'> & {
  profiles: PlatformProfiles
  nonces: Nonces
  accessTokens: AccessTokens
}

export interface Proven {
  principal: string
  thumbprint?: string
  /** Only for staff members. */
  role?: Role
  /** Only for a platform that a buyer has authorized. */
  link?: AccountLink
}

export interface Attempt {
  call: Call
  means: AuthenticationDependencies
  policy: Policy
  now: Date
}

/**
 * One way to authenticate. Its result is undefined when the call does not attempt it. It throws when the attempt fails:
 * this ends the call, and no other scheme is tried.
 */
export interface Scheme {
  mechanism: Mechanism
  authenticate(attempt: Attempt): Promise<Proven | undefined>
}

export function declared({ binding, meta }: Call) {
  const authorization = binding === 'mcp' ? asRecord(asRecord(meta).usp).authorization : undefined
  if (authorization === undefined) return undefined
  const { mechanism, credential, proof } = asRecord(authorization)
  return { mechanism: textOf(mechanism), credential: textOf(credential), proof: textOf(proof) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

export function authorizationHeader({ headers }: Call): { scheme: string; value: string } | undefined {
  const [, scheme = '', value = ''] = /^(\S+)\s+(\S.*)$/.exec(String(headers.authorization ?? '').trim()) ?? []
  if (headers.authorization === undefined) return undefined
  return { scheme: scheme.toLowerCase(), value: value.trim() }
}
