import { hash, sign } from 'node:crypto'
import { type InnerList, type Item, serializeDictionary, serializeInnerList, serializeString } from 'structured-headers'
import type { ServerKey } from './signing-keys.ts'

/** Content-Digest (RFC 9530) of the bytes as they are sent. */
export const contentDigest = (body: Buffer): string =>
  serializeDictionary({ 'sha-256': [hash('sha256', body, 'buffer'), new Map()] })

/** The headers that sign a message (RFC 9421) by these of its components. */
export function signatureHeaders(
  components: Record<string, string>,
  { kid, privateKey }: ServerKey,
  now: Date,
): Record<string, string> {
  // In the order in which verifiers that rebuild the parameters write them.
  const parameters = new Map<string, number | string>([
    ['created', Math.floor(now.getTime() / 1000)],
    ['alg', 'ecdsa-p256-sha256'],
    ['keyid', kid],
  ])
  const input: InnerList = [Object.keys(components).map((name): Item => [name, new Map()]), parameters]
  const base = [
    ...Object.entries(components).map(([name, value]) => `${serializeString(name)}: ${value}`),
    `"@signature-params": ${serializeInnerList(input)}`,
  ].join('\n')
  const signature = sign('sha256', Buffer.from(base), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return {
    'signature-input': serializeDictionary({ sig1: input }),
    signature: serializeDictionary({ sig1: [signature, new Map()] }),
  }
}
