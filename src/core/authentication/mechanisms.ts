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
  /** Whether platforms must authenticate their calls. False only in a sandbox on a development server. */
  required: boolean
  /**
   * Whether a caller's proof must contain a nonce that this server issued. If so, the server refuses a proof without
   * one.
   */
  nonces: boolean
  /**
   * The maximum age of a request signature in seconds, counted from its `created` parameter. Undefined means no limit.
   */
  signatureAge: number | undefined
  /** The outside issuer whose access tokens the server accepts. Undefined if this server issues the tokens. */
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
 * The authentication mechanisms that the server publishes as accepted. Booking-scoped credentials are among them only
 * if an operation of this server issues such credentials.
 */
export const publishedMechanisms = ({ accepted }: Policy, operations: Operation[]): Mechanism[] => {
  const issuesCredentials = operations.some(({ access }) => access === 'privileged_scoped')
  return accepted.filter((mechanism) => mechanism !== 'booking_scoped_credential' || issuesCredentials)
}

/**
 * Whether the server accepts an authentication mechanism if the business definition lists none. Access tokens are not
 * accepted, because they need registered clients. Client certificates need a certificate authority and no proxy: only
 * the business knows whether its proxy removes a `Client-Cert` header that a caller sends.
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
  /** The role of the caller, if the caller is a staff member. Otherwise undefined. */
  role?: Role
  /**
   * The link between a platform and the account of a buyer who authorized the platform. Undefined for all other
   * callers.
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
 * One way to authenticate a caller. `authenticate` returns undefined if the call does not attempt the scheme. If the
 * attempt fails, `authenticate` throws an error, and the server tries no other scheme.
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
