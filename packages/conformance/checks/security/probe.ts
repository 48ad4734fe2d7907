import { randomUUID } from 'node:crypto'
import type { Answer } from '../../caller/answer.ts'
import type { Caller, CallOptions } from '../../caller/caller.ts'
import { KeyPair } from '../../caller/key-pair.ts'
import type { CheckContext } from '../../run/check-context.ts'

/**
 * Reads a booking that does not exist: an authenticated caller gets `booking_not_found`. So a check sees whether the
 * server accepts a proof or a signature, and nothing is created.
 */
export const probe = (caller: Caller, options: CallOptions = {}, input: object = {}): Promise<Answer> =>
  caller.call('getBooking', { booking_id: 'bkg_conformance_unknown', ...input }, options)

/** Cancels a booking that does not exist: a request with a body and an idempotency key. */
export const probeWrite = (caller: Caller, options: CallOptions = {}): Promise<Answer> =>
  caller.call('cancelBooking', { booking_id: 'bkg_conformance_unknown', reason: 'None' }, options)

/** Requires the answer to a probe that the server authenticated. */
export function expectAccepted(answer: Answer): void {
  answer.failsWith('booking_not_found', { rest: 404, mcp: -32602 })
}

/** Requires a refusal of the caller with this code: HTTP 401, and the JSON-RPC number of the code. */
export function expectRefused(answer: Answer, code: string): void {
  answer.failsWith(code, { rest: 401, mcp: /^pop_|^proof_/.test(code) ? -32001 : -32006 })
}

/** Requires a refusal for a faulty request, with HTTP 400 or the JSON-RPC number of invalid requests. */
export function expectBadRequest(answer: Answer, code: string): void {
  answer.failsWith(code, { rest: 400, mcp: -32600 })
}

/** A caller with a new key that no profile publishes, under the profile of the shared platform. */
export function newKeyCaller(c: CheckContext, algorithm: KeyPair['algorithm'] = 'ES256') {
  const key = new KeyPair(algorithm)
  return { key, caller: c.callerFor({ profile: c.sharedPlatform.hosted.profile, key }) }
}

/** A credential that no business issued. */
export const unknownCredential = () => `bsc_${randomUUID().replaceAll('-', '')}${'A'.repeat(11)}`

export const secondsNow = () => Math.floor(Date.now() / 1000)
