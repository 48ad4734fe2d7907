import type { Config } from '../../infra/config/config.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { isOpenToAssistants } from '../business/pages.ts'

/** Every mechanism that is implemented; one that is not here cannot be accepted, whatever is configured. */
export const mechanisms = [
  'http_message_signature',
  'platform_key_pop',
  'booking_scoped_credential',
  'oauth2_bearer',
  'api_key',
  'mtls',
] as const

export type Mechanism = (typeof mechanisms)[number]

export interface Policy {
  accepted: readonly Mechanism[]
  /** False in a sandbox alone: there privileged calls pass without any proof. */
  required: boolean
  /** Whether a proof must carry a nonce of ours. */
  nonces: boolean
  /** How old, in seconds, the `created` of a request signature may be; any age when undefined. */
  signatureAge: number | undefined
  /** Whose access tokens are accepted; this server's own when undefined. */
  oauthIssuer: string | undefined
  /** Whether buyers can let platforms act for them. */
  linking: boolean
  /** Whether people can let their assistants act for them. */
  assistants: boolean
}

/** How callers prove who they are, as the business has it configured. */
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

/** Whether clients get their access tokens here. */
export const issuesTokens = ({ accepted, oauthIssuer }: Pick<Policy, 'accepted' | 'oauthIssuer'>) =>
  accepted.includes('oauth2_bearer') && oauthIssuer === undefined

/** Whether buyers have accounts here, by which they let others act for them. */
export const hasAccounts = ({ linking, assistants }: Pick<Policy, 'linking' | 'assistants'>) => linking || assistants

/** What is told of it: a mechanism that no operation can use yet is accepted by none. */
export const offered = ({ accepted }: Policy, operations: Operation[]): Mechanism[] => {
  const issuesCredentials = operations.some(({ access }) => access === 'privileged_scoped')
  return accepted.filter((mechanism) => mechanism !== 'booking_scoped_credential' || issuesCredentials)
}

/**
 * Without a wish everything is accepted that works by itself. Access tokens need clients that were let in first. Client
 * certificates need an authority to judge them; and behind a proxy they need the business's word, since only it knows
 * that the proxy drops a Client-Cert sent from outside.
 */
const isUsual = (mechanism: Mechanism, { tls, trustProxy }: Config) =>
  mechanism === 'mtls' ? tls?.clientCaFile !== undefined && trustProxy.length === 0 : mechanism !== 'oauth2_bearer'
