import { contentDigest, signatureHeaders } from '../trust/sign-message.ts'
import type { ServerKey } from '../trust/signing-keys.ts'

/** The headers of a signed POST of these bytes: whoever has the business profile can verify them. */
export function webhookHeaders(url: string, body: Buffer, key: ServerKey, now: Date): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const sent = { 'content-type': 'application/json', 'content-digest': contentDigest(body) }
  const components = {
    '@method': 'POST',
    '@authority': host,
    '@path': pathname,
    ...(search !== '' && { '@query': search }),
    'content-digest': sent['content-digest'],
    'content-type': sent['content-type'],
  }
  return { ...sent, ...signatureHeaders(components, key, now) }
}
