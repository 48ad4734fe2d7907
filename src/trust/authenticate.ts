import { errors, ProtocolError } from '../protocol/errors.ts'
import type { Call } from '../protocol/operation.ts'
import type { Policy } from './mechanisms.ts'
import { type Attempt, declared, type Proven, type Scheme } from './scheme.ts'
import { apiKey } from './schemes/api-key.ts'
import { bookingScopedCredential } from './schemes/booking-scoped-credential.ts'
import { httpMessageSignature } from './schemes/http-message-signature.ts'
import { platformKeyPop } from './schemes/platform-key-pop.ts'
import { staffToken } from './schemes/staff-token.ts'

/** In this order. The first that the call attempts decides; what fails is not rescued by another. */
const schemes: Scheme[] = [bookingScopedCredential, platformKeyPop, httpMessageSignature, apiKey]

/** Who calls a privileged operation, or a refusal that says what would have been accepted. */
export async function authenticate(attempt: Attempt): Promise<Proven & { mechanism: string }> {
  try {
    const proven =
      attempt.call.operation.access === 'business_only' ? await byStaff(attempt) : await byPlatform(attempt)
    if (proven) return proven
    throw new ProtocolError('authentication_required', 'This call needs to be authenticated.')
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
  const wish = declared(call)?.mechanism
  if (wish !== undefined && !policy.accepted.some((mechanism) => mechanism === wish))
    throw new ProtocolError('authentication_required', 'The mechanism is not accepted here.')
  for (const scheme of schemes) {
    if (!policy.accepted.includes(scheme.mechanism)) continue
    // A bound credential is judged whatever the caller calls it.
    if (wish !== undefined && scheme.mechanism !== wish && scheme !== bookingScopedCredential) continue
    const proven = await scheme.authenticate(attempt)
    if (proven) return { ...proven, mechanism: scheme.mechanism }
  }
}

/** Whether the call tries at all to say who is calling. */
export const presentsCredential = (call: Call): boolean =>
  declared(call) !== undefined ||
  ['authorization', 'signature', 'signature-input'].some((name) => call.headers[name] !== undefined) ||
  (call.binding === 'rest' && call.headers.dpop !== undefined) ||
  call.peer.certificate !== undefined

function withHints(error: ProtocolError, { call, policy }: Attempt): ProtocolError {
  if (errors[error.code].http !== 401) return error
  const { headers } = error.details
  const accepted = call.operation.access === 'business_only' ? ['a staff token'] : policy.accepted
  return new ProtocolError(error.code, `${error.message} Accepted here: ${accepted.join(', ')}.`, {
    ...error.details,
    headers: { 'www-authenticate': challengesOf(call, policy), ...headers },
  })
}

function challengesOf({ operation }: Call, { accepted }: Policy): string {
  if (operation.access === 'business_only') return 'Bearer'
  return [
    ...(accepted.includes('platform_key_pop') ? ['DPoP algs="EdDSA ES256"'] : []),
    ...(accepted.includes('api_key') ? ['Bearer'] : []),
    ...(accepted.includes('http_message_signature') ? ['Signature'] : []),
  ].join(', ')
}
