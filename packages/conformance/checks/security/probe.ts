import { randomUUID } from 'node:crypto'
import type { Answer } from '../../caller/answer.ts'
import { type Caller, type CallOptions, signatureKeyOf } from '../../caller/caller.ts'
import { type Algorithm, KeyPair } from '../../caller/key-pair.ts'
import type { SignatureOptions } from '../../caller/message-signature.ts'
import type { CheckContext } from '../../run/check-context.ts'

/** The id of a booking that does not exist. */
export const UNKNOWN_BOOKING = 'bkg_conformance_unknown'

/**
 * Reads a booking that does not exist. An authenticated caller gets the error `booking_not_found`. Therefore the answer
 * shows whether the server accepts a proof or signature. The call creates nothing.
 */
export const probe = (caller: Caller, options: CallOptions = {}, input: object = {}): Promise<Answer> =>
  caller.call('getBooking', { booking_id: UNKNOWN_BOOKING, ...input }, options)

/** Cancels a booking that does not exist. Unlike `probe`, this request has a body and an idempotency key. */
export const probeWrite = (caller: Caller, options: CallOptions = {}): Promise<Answer> =>
  caller.call('cancelBooking', { booking_id: UNKNOWN_BOOKING, reason: 'None' }, options)

/** Requires that the server authenticated the caller of a probe. */
export function expectAccepted(answer: Answer): void {
  expectBookingNotFound(answer)
}

/**
 * Requires the error for an unknown booking. An authenticated caller gets the same error for a booking of another
 * caller.
 */
export function expectBookingNotFound(answer: Answer): void {
  answer.failsWith('booking_not_found', { rest: 404, mcp: -32602 })
}

/** Requires that the server refuses the caller with this code: HTTP 401, or the JSON-RPC number of the code. */
export function expectRefused(answer: Answer, code: string): void {
  answer.failsWith(code, { rest: 401, mcp: /^pop_|^proof_/.test(code) ? -32001 : -32006 })
}

/** Requires that the server refuses a faulty request: HTTP 400, or the JSON-RPC number for invalid requests. */
export function expectBadRequest(answer: Answer, code: string): void {
  answer.failsWith(code, { rest: 400, mcp: -32600 })
}

/** Returns options for a call that the platform signs. */
export const signed = (signature: SignatureOptions = {}) => ({ authentication: 'signature', signature }) as const

/** Returns a caller with a new key, which no profile publishes. The caller names the profile of the shared platform. */
export function newKeyCaller(c: CheckContext, algorithm?: Algorithm) {
  const key = algorithm ? new KeyPair(algorithm) : c.newKey()
  return { key, caller: c.callerFor({ profile: c.sharedPlatform.hosted.profile, key }) }
}

/** Returns a caller for signed calls whose profile publishes an ES256 key. */
export function callerWithES256(c: CheckContext): Caller {
  const { hosted, caller } = c.sharedPlatform
  if (signatureKeyOf(hosted).algorithm === 'ES256') return caller
  const key = new KeyPair('ES256')
  const { hosted: other } = c.newPlatform()
  other.document.keys = [key.published]
  return c.callerFor({ profile: other.profile, key })
}

/** Returns a credential that no business issued. */
export const unknownCredential = () => `bsc_${randomUUID().replaceAll('-', '')}${'A'.repeat(11)}`

export const secondsNow = () => Math.floor(Date.now() / 1000)
