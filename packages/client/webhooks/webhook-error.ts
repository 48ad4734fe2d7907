/**
 * Why the client refused a webhook:
 * - `malformed`: a part of the request cannot be read.
 * - `signature_missing`: the request has no signature.
 * - `unknown_key`: no key of the business made a signature. The platform may have an old profile of the business.
 * - `component_missing`: the signature does not cover a part of the request that it must cover.
 * - `expired`: the signature is too old, or its time is in the future.
 * - `signature_invalid`: the signature belongs to another request or to another key.
 * - `digest_mismatch`: the body has another digest than `Content-Digest`.
 * - `no_event`: the signed body is not an event.
 */
export type WebhookErrorCode =
  | 'malformed'
  | 'signature_missing'
  | 'unknown_key'
  | 'component_missing'
  | 'expired'
  | 'signature_invalid'
  | 'digest_mismatch'
  | 'no_event'

/** The error for a webhook that the platform must not trust. */
export class WebhookError extends Error {
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.name = 'WebhookError'
    this.code = code
  }
}
