import type { Config } from '../../infra/config/config.ts'
import { asRecord } from '../../infra/util/records.ts'
import type { AccountLink, Role } from '../../protocol/caller.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Call, Operation } from '../../protocol/operation.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { isOpenToAssistants } from '../business/definition.ts'
import type { PlatformProfiles } from '../profiles/platform-profiles.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { Nonces } from './nonces.ts'

/** All implemented mechanisms. Others cannot be accepted, even when configured. */
export const mechanisms = [
  'http_message_signature',
  'platform_key_pop',
  'booking_scoped_credential',
  'oauth2_bearer',
  'api_key',
  'mtls',
] as const

type Mechanism = (typeof mechanisms)[number]

export interface Policy {
  accepted: readonly Mechanism[]
  /** False only in a sandbox, where privileged calls need no authentication. */
  required: boolean
  /** Whether a proof must contain a nonce of this server. */
  nonces: boolean
  /** Maximum age in seconds of the `created` parameter of a request signature; unlimited when undefined. */
  signatureAge: number | undefined
  /** The issuer of accepted access tokens; this server when undefined. */
  oauthIssuer: string | undefined
  /** Whether buyers can authorize platforms. */
  linking: boolean
  /** Whether people can authorize their assistants. */
  assistants: boolean
}

export function policyOf(definition: BusinessDefinition | undefined, config: Config): Policy {
  const {
    accepted_mechanisms: wished,
    sandbox = false,
    proof_nonces: nonces = false,
    signature_max_age,
    oauth_issuer,
    identity_linking = false,
  } = definition?.authorization ?? {}
  const usual = (mechanism: Mechanism) =>
    isUsual(mechanism, config) || (mechanism === 'oauth2_bearer' && identity_linking)
  const accepted = mechanisms.filter((mechanism) => wished?.includes(mechanism) ?? usual(mechanism))
  return {
    accepted,
    required: !(sandbox && config.mode === 'development'),
    nonces,
    signatureAge: signature_max_age,
    oauthIssuer: oauth_issuer,
    linking: identity_linking && issuesTokens({ accepted, oauthIssuer: oauth_issuer }),
    assistants: definition !== undefined && isOpenToAssistants(definition),
  }
}

export const issuesTokens = ({ accepted, oauthIssuer }: Pick<Policy, 'accepted' | 'oauthIssuer'>) =>
  accepted.includes('oauth2_bearer') && oauthIssuer === undefined

export const hasAccounts = ({ linking, assistants }: Pick<Policy, 'linking' | 'assistants'>) => linking || assistants

/** The published mechanisms. Without an operation that issues credentials, booking-scoped credentials are left out. */
export const publishedMechanisms = ({ accepted }: Policy, operations: Operation[]): Mechanism[] => {
  const issuesCredentials = operations.some(({ access }) => access === 'privileged_scoped')
  return accepted.filter((mechanism) => mechanism !== 'booking_scoped_credential' || issuesCredentials)
}

/**
 * The default without a configured list: all mechanisms that need no preparation. Access tokens need registered clients.
 * Client certificates need a certificate authority. Behind a proxy they need an explicit setting, because only the business
 * knows that the proxy removes a Client-Cert header from outside.
 */
const isUsual = (mechanism: Mechanism, { tls, trustProxy }: Config) =>
  mechanism === 'mtls' ? tls?.clientCaFile !== undefined && trustProxy.length === 0 : mechanism !== 'oauth2_bearer'

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
  dependencies: AuthenticationDependencies
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
