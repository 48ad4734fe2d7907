import { type InnerList, type Item, serializeDictionary, serializeInnerList, serializeString } from 'structured-headers'
import { digestOf } from './compute-digest.ts'
import type { PlatformKey } from './platform-key.ts'
import type { HttpRequest } from './send-http-request.ts'

const LIFETIME_SECONDS = 300
const wireNames = { ES256: 'ecdsa-p256-sha256', EdDSA: 'ed25519' }

/** Signs a request to the business (RFC 9421). The signature covers all parts of the request that affect the call. */
export async function signed(request: HttpRequest, key: PlatformKey, now = new Date()): Promise<HttpRequest> {
  const { method, url, body } = request
  const headers = { ...request.headers, ...(body !== undefined && { 'content-digest': await contentDigest(body) }) }
  const { host, pathname, search } = new URL(url)
  const components = {
    '@method': method,
    '@authority': host,
    '@path': pathname,
    ...(search !== '' && { '@query': search }),
    ...headers,
  }
  const created = Math.floor(now.getTime() / 1000)
  const parameters = new Map<string, number | string>([
    ['created', created],
    ['expires', created + LIFETIME_SECONDS],
    ['alg', wireNames[key.algorithm]],
    ['keyid', key.keyid],
  ])
  const input: InnerList = [Object.keys(components).map((name): Item => [name, new Map()]), parameters]
  const base = [
    ...Object.entries(components).map(([name, value]) => `${serializeString(name)}: ${value}`),
    `"@signature-params": ${serializeInnerList(input)}`,
  ].join('\n')
  return {
    ...request,
    headers: {
      ...headers,
      'signature-input': serializeDictionary({ usp: input }),
      signature: serializeDictionary({ usp: [await key.sign(base), new Map()] }),
    },
  }
}

const contentDigest = async (body: string) => serializeDictionary({ 'sha-256': [await digestOf(body), new Map()] })
