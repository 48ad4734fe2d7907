import { hash, type KeyObject, sign } from 'node:crypto'
import { sql } from 'kysely'
import type { Platform, TestKey } from './platform.ts'
import type { Answer, TestServer } from './server.ts'

/**
 * RFC 9421 with node:crypto only, independent of the server's library for verification. It also signs wrong requests.
 */
export interface Outgoing {
  method: 'GET' | 'POST' | 'DELETE'
  target: string
  headers: Record<string, string>
  body: string
}

export interface Signing {
  key: KeyObject
  /** The exact text after the list of components. */
  parameters: string
  label?: string
  /** Names, or quoted identifiers with parameters. */
  components?: string[]
  /** Values that replace those of the request in the signature base, by identifier. */
  values?: Record<string, string>
  origin?: string
  make?: (base: string) => Buffer
}

export const ORIGIN = 'http://127.0.0.1:8080'
export const SUBSCRIPTIONS = '/usp/v1/services/feed/subscriptions'
export const CALLBACK = 'https://127.0.0.1:9443/hook'

/** Adds a signature to the request, after its existing ones. */
export function signed(outgoing: Outgoing, signing: Signing): Outgoing {
  const { label = 'sig', components = neededComponents(outgoing), parameters, make } = signing
  const identifiers = components.map((one) => (/^[a-z_@][\w@-]*$/i.test(one) ? `"${one}"` : one))
  const input = `(${identifiers.join(' ')})${parameters}`
  const lines = identifiers.map((identifier) => `${identifier}: ${componentValue(identifier, outgoing, signing)}`)
  const base = [...lines, `"@signature-params": ${input}`].join('\n')
  const signature = make ? make(base) : signatureBy(signing.key, base)
  const { headers } = outgoing
  const after = (name: string) => (headers[name] === undefined ? '' : `${headers[name]}, `)
  return changed(outgoing, {
    'signature-input': `${after('signature-input')}${label}=${input}`,
    signature: `${after('signature')}${label}=:${signature.toString('base64')}:`,
  })
}

const signedHeaders = ['usp-agent', 'ucp-agent', 'idempotency-key', 'content-digest', 'content-type']

export const neededComponents = ({ target, headers }: Outgoing): string[] => [
  ...['@method', '@authority', '@path'],
  ...(target.includes('?') ? ['@query'] : []),
  ...signedHeaders.filter((name) => headers[name] !== undefined),
]

function componentValue(
  identifier: string,
  { method, target, headers }: Outgoing,
  { values, origin = ORIGIN }: Signing,
) {
  const name = identifier.split('"')[1] ?? identifier
  const [path = '', ...query] = target.split('?')
  const derived: Record<string, string> = {
    '@method': method,
    '@authority': new URL(origin).host,
    '@scheme': new URL(origin).protocol.slice(0, -1),
    '@path': path,
    '@query': `?${query.join('?')}`,
    '@target-uri': `${origin}${target}`,
    '@request-target': target,
  }
  return values?.[identifier] ?? values?.[name] ?? derived[name] ?? (headers[name.toLowerCase()] ?? '').trim()
}

/** ECDSA in the fixed-width form of RFC 9421. */
export function signatureBy(key: KeyObject, base: string): Buffer {
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ed25519') return sign(null, Buffer.from(base), key)
  const digest = namedCurve === 'secp384r1' ? 'sha384' : namedCurve === 'secp521r1' ? 'sha512' : 'sha256'
  return sign(digest, Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' })
}

/** The same request with changed headers. Undefined removes a header. */
export function changed(outgoing: Outgoing, headers: Record<string, string | undefined>): Outgoing {
  const all = Object.entries({ ...outgoing.headers, ...headers })
  return {
    ...outgoing,
    headers: Object.fromEntries(all.filter((one): one is [string, string] => one[1] !== undefined)),
  }
}

export const digestOf = (body: string, name: 'sha-256' | 'sha-512' = 'sha-256') =>
  `${name}=:${hash(name.replace('-', ''), body, 'base64')}:`

export function subscribing({ url }: Platform, wish: object = {}): Outgoing {
  const body = JSON.stringify({ callback_url: CALLBACK, ...wish })
  const headers = {
    'usp-agent': `profile="${url}"`,
    'content-type': 'application/json',
    'content-digest': digestOf(body),
  }
  return { method: 'POST', target: SUBSCRIPTIONS, headers, body }
}

export const reading = ({ url }: Platform, id: string): Outgoing => ({
  method: 'GET',
  target: `${SUBSCRIPTIONS}/${id}`,
  headers: { 'usp-agent': `profile="${url}"` },
  body: '',
})

export const published = (kid: string, { jwk }: TestKey, more: object = {}) => ({ kid, ...jwk, use: 'sig', ...more })

/** Sends the request unchanged, and checks the answer against its schema. */
export const send = (server: TestServer, { method, target, headers, body }: Outgoing): Promise<Answer> =>
  server.rest(method, target.slice('/usp/v1'.length), body || undefined, { host: new URL(ORIGIN).host, ...headers })

/** The number of stored subscriptions, principals and replies. */
export async function stored({ runtime }: TestServer): Promise<number[]> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from feed_subscriptions union all
    select count(*) from principals union all
    select count(*) from replies`.execute(runtime.db)
  return rows.map(({ count }) => Number(count))
}
