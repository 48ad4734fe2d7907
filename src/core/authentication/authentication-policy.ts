import type { Config } from '../../infra/config/read-config.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { AccountLink, Role } from '../../protocol/caller-types.ts'
import type { Call, Operation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { isOpenToAssistants } from '../business/definition-facts.ts'
import type { PlatformProfiles } from '../profiles/platform-profiles.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { Nonces } from './proof-nonces.ts'

/**
 * All authentication mechanisms that this server implements. The business definition may list other mechanisms, which
 * the server ignores.
 */
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
  /**
   * Whether platforms must authenticate their calls. False only in a sandbox (a mode for tests) on a development
   * server.
   */
  required: boolean
  /** Whether a caller's proof must contain a nonce (a short-lived value) that this server issued. */
  nonces: boolean
  /**
   * The maximum age of a request signature in seconds, counted from its `created` parameter. Undefined means no limit.
   */
  signatureAge: number | undefined
  /**
   * The authorization server of another company that issues the access tokens. Undefined if this server issues the
   * access tokens itself.
   */
  oauthIssuer: string | undefined
  /** Whether buyers can authorize platforms to book with their accounts. */
  linking: boolean
  /** Whether people can authorize AI assistants to book for them. */
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

/**
 * Returns the authentication mechanisms that the server publishes as accepted. The list contains booking-scoped
 * credentials only if an operation of this server uses such credentials.
 */
export const publishedMechanisms = ({ accepted }: Policy, operations: Operation[]): Mechanism[] => {
  const issuesCredentials = operations.some(({ access }) => access === 'privileged_scoped')
  return accepted.filter((mechanism) => mechanism !== 'booking_scoped_credential' || issuesCredentials)
}

/**
 * Whether the server accepts an authentication mechanism by default. Access tokens are off, because they need
 * registered clients. Client certificates are on only with a certificate authority and without a proxy. A proxy could
 * pass on a forged `Client-Cert` header, and only the business knows whether its proxy removes this header.
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
  /** The role of the staff member who calls. Undefined if the caller is not a staff member. */
  role?: Role
  /**
   * The permission that a buyer gave to the platform that calls. Undefined if the caller does not act with the account
   * of a buyer.
   */
  link?: AccountLink
}

export interface Attempt {
  call: Call
  dependencies: AuthenticationDependencies
  policy: Policy
  now: Date
}

/**
 * One way to authenticate a caller, such as an API key. `authenticate` returns undefined if the call does not use this
 * scheme. If the credentials in the call are wrong, `authenticate` throws an error, and the server tries no other
 * scheme.
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
