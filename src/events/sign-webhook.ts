import { hash, sign } from 'node:crypto'
import { type InnerList, type Item, serializeDictionary, serializeInnerList, serializeString } from 'structured-headers'
import type { ServerKey } from '../trust/signing-keys.ts'

/** The headers of a signed POST of these bytes (RFC 9421): whoever has the business profile can verify them. */
export function webhookHeaders(
  url: string,
  body: Buffer,
  { kid, privateKey }: ServerKey,
  now: Date,
): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const digest = serializeDictionary({ 'sha-256': [hash('sha256', body, 'buffer'), new Map()] })
  const components = {
    '@method': 'POST',
    '@authority': host,
    '@path': pathname,
    ...(search !== '' && { '@query': search }),
    'content-digest': digest,
    'content-type': 'application/json',
  }
  const parameters = new Map<string, number | string>([
    ['keyid', kid],
    ['created', Math.floor(now.getTime() / 1000)],
    ['alg', 'ecdsa-p256-sha256'],
  ])
  const input: InnerList = [Object.keys(components).map((name): Item => [name, new Map()]), parameters]
  const base = [
    ...Object.entries(components).map(([name, value]) => `${serializeString(name)}: ${value}`),
    `"@signature-params": ${serializeInnerList(input)}`,
  ].join('\n')
  const signature = sign('sha256', Buffer.from(base), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return {
    'content-type': 'application/json',
    'content-digest': digest,
    'signature-input': serializeDictionary({ sig1: input }),
    signature: serializeDictionary({ sig1: [signature, new Map()] }),
  }
}
