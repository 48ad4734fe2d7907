import { asRecord } from '../../src/infra/util/object-members.ts'
import type { BookingScopedCredential, ProblemDetails } from '../../src/protocol/types.generated.ts'
import { UspError } from './client-errors.ts'
import type { ProofContents } from './create-possession-proof.ts'
import type { Route } from './operation-routes.ts'
import type { PlatformKey } from './platform-key.ts'
import type { HttpAnswer, HttpRequest } from './send-http-request.ts'
import { signed } from './sign-request.ts'

export type Members = Record<string, unknown>

/** One call of an operation on a business. The client can send this form of a call over REST or MCP. */
export interface ClientCall {
  route: Route
  input: Members
  idempotencyKey: string | undefined
  credential: BookingScopedCredential | undefined
  nonce: string | undefined
  trace: { traceparent?: string; tracestate?: string }
}

/**
 * Sends a call to the business once, and returns the content of the answer. Throws an error if the answer is an error.
 */
export type Transport = (ask: ClientCall) => Promise<Members>

export interface ConnectionOptions {
  /** The URL of the business profile, the document in which the business describes its server. */
  business: string
  endpoint: string
  /** The URL of the platform profile, in which this platform publishes its public key. */
  profile: string
  key: PlatformKey
  authentication: 'signature' | 'proof'
}

/**
 * Returns what the proof of a call must contain. Returns undefined if the call needs no proof. A call with a credential
 * that is bound to a key needs a proof, even if the platform signs the call.
 */
export function proofFor(
  { route, credential, nonce }: ClientCall,
  { authentication }: ConnectionOptions,
): ProofContents | undefined {
  if (route.access === 'public' || (authentication === 'signature' && !credential?.cnf)) return undefined
  return { credential: credential?.value, nonce }
}

/**
 * Signs the request if the platform uses signatures and the operation is not public. The signature does not cover the
 * trace headers, because a proxy can replace these headers.
 */
export async function authenticated(
  request: HttpRequest,
  { route, trace }: ClientCall,
  { authentication, key }: ConnectionOptions,
): Promise<HttpRequest> {
  const proven = authentication === 'signature' && route.access !== 'public' ? await signed(request, key) : request
  return { ...proven, headers: { ...proven.headers, ...trace } }
}

/**
 * The error code of the protocol for each HTTP status. Problem Details of the type `about:blank` contain no code,
 * because their status is sufficient.
 */
const codesByStatus: Record<number, string> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'content_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  501: 'not_implemented',
  503: 'service_unavailable',
}

const PROBLEM_TYPE = /^https:\/\/usp-protocol\.dev\/errors\/([a-z0-9-]+)$/

/**
 * Reads an error of the business from Problem Details (RFC 9457). An answer without Problem Details, for example from a
 * proxy, has only an HTTP status.
 */
export function errorOf({ status, headers, body }: HttpAnswer): UspError {
  const { code = codesByStatus[status], detail = `The answer was HTTP ${status}.`, ...details } = problemOf(body)
  return new UspError(code ?? 'unexpected_answer', status, detail, {
    errors: details.errors,
    retryAfter: retryAfterOf(headers),
    nonce: nonceOf(headers, body),
  })
}

export function problemOf(body: unknown) {
  const { code, type, detail, content, errors, retry_after, nonce } = asRecord(body)
  return {
    code: textOf(code) ?? PROBLEM_TYPE.exec(textOf(type) ?? '')?.[1]?.replaceAll('-', '_'),
    detail: textOf(detail),
    content: textOf(content),
    errors: areFieldErrors(errors) ? errors : undefined,
    retryAfter: typeof retry_after === 'number' ? retry_after : undefined,
    nonce: textOf(nonce),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const textOf = (value: unknown) => (isText(value) ? value : undefined)

const areFieldErrors = (value: unknown): value is NonNullable<ProblemDetails['errors']> =>
  Array.isArray(value) && value.map(asRecord).every(({ field = '', message = '' }) => isText(field) && isText(message))

export function nonceOf(headers: Headers, body: unknown): string | undefined {
  const { code, nonce } = problemOf(body)
  return code === 'proof_nonce_required' ? (nonce ?? headers.get('dpop-nonce') ?? undefined) : undefined
}

/** Returns how many seconds to wait before a retry. The header `Retry-After` contains the seconds or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
