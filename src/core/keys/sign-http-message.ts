import { hash, sign } from 'node:crypto'
import {
  type BareItem,
  type InnerList,
  type Item,
  serializeDictionary,
  serializeInnerList,
  serializeItem,
} from 'structured-headers'
import type { ServerKey } from './signing-keys.ts'

/**
 * Returns the value of the header `Content-Digest` (RFC 9530). `body` must contain exactly the bytes that the server
 * sends.
 */
export const contentDigest = (body: Buffer): string =>
  serializeDictionary({ 'sha-256': [hash('sha256', body, 'buffer'), new Map()] })

/** A signed part of an HTTP message, such as a header, and its value. RFC 9421 calls this a component. */
export type Component = readonly [item: Item, value: string]

export const componentOf = (name: string, value: string): Component => [[name, new Map()], value]

export function signatureBy(
  sign: (base: Buffer) => NonSharedBuffer,
  { label, components, parameters }: { label: string; components: Component[]; parameters: Map<string, BareItem> },
): Record<'signature-input' | 'signature', string> {
  const input: InnerList = [components.map(([item]) => item), parameters]
  const base = [
    ...components.map(([item, value]) => `${serializeItem(item)}: ${value}`),
    `"@signature-params": ${serializeInnerList(input)}`,
  ].join('\n')
  return {
    'signature-input': serializeDictionary({ [label]: input }),
    signature: serializeDictionary({ [label]: [sign(Buffer.from(base)), new Map()] }),
  }
}

/**
 * Signs parts of an HTTP message with the published key of the business. Returns the headers `Signature` and
 * `Signature-Input`.
 */
export function signatureHeaders(
  components: Record<string, string>,
  { kid, privateKey }: ServerKey,
  now: Date,
  form: 'usp' | 'ucp' = 'usp',
): Record<string, string> {
  // The signature parameters must have this order. Some verifiers write the parameters in this order themselves, and
  // compare the result with the received text.
  const parameters = new Map<string, BareItem>([
    ['created', Math.floor(now.getTime() / 1000)],
    // The Universal Commerce Protocol (UCP) allows no `alg` parameter in signatures, because the key already determines
    // the algorithm.
    ...(form === 'usp' ? [['alg', 'ecdsa-p256-sha256'] as const] : []),
    ['keyid', kid],
  ])
  return signatureBy((base) => sign('sha256', base, { key: privateKey, dsaEncoding: 'ieee-p1363' }), {
    label: 'sig1',
    components: Object.entries(components).map(([name, value]) => componentOf(name, value)),
    parameters,
  })
}

interface UnsignedRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /**
   * The JSON body of the request. It must contain exactly the bytes that the server sends, because the signature covers
   * them.
   */
  body?: Buffer
}

/**
 * Returns the headers of a signed request. The receiver verifies the signature with the public key in this server's
 * profile.
 */
export function signedHeaders(
  { method, url, headers = {}, body }: UnsignedRequest,
  key: ServerKey,
  now: Date,
  form?: 'ucp',
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
  return { ...sent, ...signatureHeaders(components, key, now, form) }
}
