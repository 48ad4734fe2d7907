import { contentDigest, signatureHeaders } from './sign-message.ts'
import type { ServerKey } from './signing-keys.ts'

export interface UnsignedRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** JSON, exactly the bytes that are sent. */
  body?: Buffer
}

/** The headers of the signed request. A receiver verifies them with the key in this server's profile. */
export function signedHeaders(
  { method, url, headers = {}, body }: UnsignedRequest,
  key: ServerKey,
  now: Date,
): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const ofBody = body && { 'content-digest': contentDigest(body), 'content-type': 'application/json' }
  const sent = { ...headers, ...ofBody }
  const components = {
    '@method': method,
    '@authority': host,
    '@path': pathname,
    ...(search !== '' && { '@query': search }),
    ...sent,
  }
  return { ...sent, ...signatureHeaders(components, key, now) }
}
