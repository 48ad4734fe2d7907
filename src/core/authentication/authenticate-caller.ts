import type { Config } from '../../infra/config/read-config.ts'
import { MCP_PATH } from '../../protocol/base-url-paths.ts'
import type { Call } from '../../protocol/define-operation.ts'
import { errors, ProtocolError } from '../../protocol/errors.ts'
import {
  type Attempt,
  declared,
  type Policy,
  type Proven,
  publishedMechanisms,
  type Scheme,
} from './authentication-policy.ts'
import { apiKey } from './schemes/api-key.ts'
import { bookingScopedCredential } from './schemes/booking-scoped-credential.ts'
import { httpMessageSignature } from './schemes/http-message-signature.ts'
import { mtls } from './schemes/mtls.ts'
import { oauth2Bearer } from './schemes/oauth2-bearer.ts'
import { platformKeyPop } from './schemes/platform-key-possession.ts'
import { presentsSignature } from './schemes/signature-input.ts'
import { staffToken } from './schemes/staff-token.ts'
import { bearerChallenge, dpopChallenge } from './www-authenticate-header.ts'

/**
 * All authentication schemes, in their order of use. If a call contains credentials of several schemes, the first of
 * these schemes in the list decides. Access tokens come before proofs of possession of a key, because a call with an
 * access token can also contain a proof. Client certificates come last, because all callers on one connection share one
 * certificate.
 */
const schemes: Scheme[] = [bookingScopedCredential, oauth2Bearer, platformKeyPop, httpMessageSignature, apiKey, mtls]

/**
 * Authenticates the caller of an operation that is not public. If the server refuses the caller, the error lists the
 * accepted authentication mechanisms.
 */
export async function authenticate(attempt: Attempt): Promise<Proven & { mechanism: string }> {
  try {
    const proven =
      attempt.call.operation.access === 'business_only' ? await byStaff(attempt) : await byPlatform(attempt)
    if (proven) return proven
    throw new ProtocolError('authentication_required', 'This call requires authentication.')
  } catch (error) {
    throw error instanceof ProtocolError ? withHints(error, attempt) : error
  }
}

async function byStaff(attempt: Attempt) {
  const proven = await staffToken(attempt)
  return proven && { ...proven, mechanism: 'staff_token' }
}

async function byPlatform(attempt: Attempt) {
  const { call, policy } = attempt
  if (!policy.required && !presentsCredential(call)) return { principal: 'sandbox', mechanism: 'none' }
  const declaredMechanism = declared(call)?.mechanism
  const refused =
    declaredMechanism !== undefined && !policy.accepted.some((mechanism) => mechanism === declaredMechanism)
  for (const scheme of schemes) {
    if (!policy.accepted.includes(scheme.mechanism)) continue
    // The server always checks a booking-scoped credential (a secret for one booking or waitlist entry), even if the
    // call declares another authentication mechanism.
    if (declaredMechanism !== undefined && scheme.mechanism !== declaredMechanism && scheme !== bookingScopedCredential)
      continue
    const proven = await scheme.authenticate(attempt)
    if (!proven || refused) continue
    await refuseBrokenSignature(attempt, scheme)
    return { ...proven, mechanism: scheme.mechanism }
  }
  if (refused) throw new ProtocolError('authentication_required', 'This mechanism is not accepted here.')
}

/**
 * Checks the request signature of a caller that another scheme has authenticated. An invalid signature ends the call
 * with an error. A request without a signature passes.
 */
async function refuseBrokenSignature(attempt: Attempt, by: Scheme): Promise<void> {
  const isAccepted = attempt.policy.accepted.includes(httpMessageSignature.mechanism)
  if (isAccepted && by !== httpMessageSignature) await httpMessageSignature.authenticate(attempt)
}

export const presentsCredential = (call: Call): boolean =>
  declared(call) !== undefined ||
  call.headers.authorization !== undefined ||
  presentsSignature(call.headers) ||
  (call.binding === 'rest' && call.headers.dpop !== undefined) ||
  call.peer.certificate !== undefined

function withHints(error: ProtocolError, { call, policy, dependencies }: Attempt): ProtocolError {
  if (errors[error.code].http !== 401) return error
  const { headers } = error.details
  const accepted =
    call.operation.access === 'business_only' ? ['a staff token'] : publishedMechanisms(policy, dependencies.operations)
  return new ProtocolError(error.code, `${error.message} Accepted here: ${accepted.join(', ')}.`, {
    ...error.details,
    headers: { 'www-authenticate': challengesOf(call, policy, dependencies.config), ...headers },
  })
}

function challengesOf({ operation, binding, headers: { host } }: Call, { accepted }: Policy, config: Config): string {
  if (operation.access === 'business_only') return 'Bearer'
  const takesTokens = accepted.includes('oauth2_bearer')
  const bearer = takesTokens && binding === 'mcp' ? bearerChallenge({ path: MCP_PATH, host }, config) : 'Bearer'
  return [
    ...(takesTokens || accepted.includes('platform_key_pop') ? [dpopChallenge()] : []),
    ...(takesTokens || accepted.includes('api_key') ? [bearer] : []),
    ...(accepted.includes('http_message_signature') ? ['Signature'] : []),
  ].join(', ')
}
