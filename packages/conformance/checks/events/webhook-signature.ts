import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { sha256 } from '../../caller/key-pair.ts'
import type { ReceivedEvent } from '../../platform/platform-host.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectList, expectTrue, show } from '../../run/expectations.ts'
import { Mismatch } from '../../run/mismatch.ts'

export interface VerifiedSignature {
  keyid: string
  /** The names of the components that the signature covers. */
  components: string[]
  /** Seconds since 1970. */
  created: number | undefined
}

type Key = JsonWebKey & { kid?: string; alg?: string }

/** The keys of the business profile, and those of its former member `signing_keys`. */
export function publishedKeys({ target: { profile } }: CheckContext): Key[] {
  const { keys = [], signing_keys = [] } = profile
  return [...expectList(keys, 'keys'), ...expectList(signing_keys, 'signing_keys')]
}

/** Verifies the RFC 9421 signature of a received request against published keys, and its Content-Digest. */
export function verifySignature(request: ReceivedEvent, keys: Key[]): VerifiedSignature {
  const input = request.headers['signature-input'] ?? ''
  const [, label = '', parameters = '', list = ''] = /^(\w+)=(\(([^)]*)\)[^,]*)/.exec(input) ?? []
  expectTrue(label !== '', 'a Signature-Input header with a list of components', input)
  const components = [...list.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
  const [, keyid = ''] = /;keyid="([^"]*)"/.exec(parameters) ?? []
  const [, created] = /;created=(\d+)/.exec(parameters) ?? []
  const key = keys.find(({ kid }) => kid === keyid)
  if (!key) throw new Mismatch('a keyid of the business profile in Signature-Input', show(keyid))

  const header = request.headers.signature ?? ''
  const [, signature] = new RegExp(`(?:^|,\\s*)${label}=:([A-Za-z0-9+/=]+):`).exec(header) ?? []
  if (signature === undefined) throw new Mismatch(`a Signature header with the label ${label}`, header)
  const lines = components.map((name) => `"${name}": ${componentOf(name, request)}`)
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
  expectTrue(isSigned(base, Buffer.from(signature, 'base64'), key), 'a signature that verifies', `"${base}"`)
  return { keyid, components, created: created === undefined ? undefined : Number(created) }
}

/** Requires the Content-Digest of a received request to be the digest of its body. */
export function expectDigestOfBody({ headers, body }: ReceivedEvent): void {
  const digest = `sha-256=:${sha256(body).toString('base64')}:`
  expectTrue(
    (headers['content-digest'] ?? '').includes(digest),
    `${digest} in Content-Digest`,
    headers['content-digest'],
  )
}

function componentOf(name: string, { method, path, headers }: ReceivedEvent): string {
  const url = new URL(path, `https://${headers.host}`)
  const derived: Record<string, string> = {
    '@method': method,
    '@authority': url.host,
    '@path': url.pathname,
    '@query': url.search || '?',
    '@scheme': 'https',
    '@request-target': path,
    '@target-uri': url.href,
  }
  const value = derived[name] ?? headers[name]
  if (value === undefined) throw new Mismatch('a signature of components that the request has', `the component ${name}`)
  return value.trim()
}

function isSigned(base: string, signature: Buffer, jwk: Key): boolean {
  const key: KeyObject = createPublicKey({ key: jwk, format: 'jwk' })
  if (jwk.kty === 'OKP') return verify(null, Buffer.from(base), key, signature)
  const hash = jwk.crv === 'P-384' ? 'sha384' : 'sha256'
  return verify(hash, Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, signature)
}
