import type { CallOptions } from '../../caller/caller.ts'
import type { KeyPair } from '../../caller/key-pair.ts'
import { type SignatureOptions, signatureHeaders } from '../../caller/message-signature.ts'

/** Changes a request after the suite has added its proof and its signature. */
export type RequestChange = NonNullable<CallOptions['change']>

/** Replaces headers of a request. Null removes a header. */
export const withHeaders =
  (changes: Record<string, string | null>): RequestChange =>
  (request) => {
    const headers = Object.entries({ ...request.headers, ...changes })
    const kept = headers.filter((header): header is [string, string] => header[1] !== null)
    return { ...request, headers: Object.fromEntries(kept) }
  }

/** Replaces each later request with the first request, byte for byte. */
export function sameRequest(): RequestChange {
  let first: Parameters<RequestChange>[0] | undefined
  return (request) => {
    first ??= request
    return first
  }
}

export interface Signer extends SignatureOptions {
  by: KeyPair
}

/** Adds one signature for each signer. No signature covers the other signatures. */
export const signedBy =
  (...signers: Signer[]): RequestChange =>
  (request) => {
    const each = signers.map(({ by, ...options }) => signatureHeaders(by, request, options))
    const joined = (name: 'signature' | 'signature-input') => each.map((headers) => headers[name]).join(', ')
    const signatures = { signature: joined('signature'), 'signature-input': joined('signature-input') }
    return withHeaders({ ...each[0], ...signatures })(request)
  }
