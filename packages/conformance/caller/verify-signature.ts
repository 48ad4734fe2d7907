import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { expectList, expectTrue, show } from '../run/expectations.ts'
import { Mismatch } from '../run/mismatch.ts'
import type { Members } from './answer.ts'

export interface SignedMessage {
  headers: Record<string, string>
  body: string
  /** The values of signed message parts that are not headers, such as `@method`. */
  derived: Record<string, string>
}

export interface MessageSignature {
  /** The labels of all signatures of the message. This signature has the first label. */
  labels: string[]
  /** The names of the message parts that the signature covers. */
  components: string[]
  /** The parameters of the signature, such as `keyid`. A value in quotes is a string. Any other value is a number. */
  parameters: Record<string, string | number>
  value: Buffer
  /** The text of `@signature-params`: the names of the covered parts, and the parameters of the signature. */
  input: string
}

export type PublishedKey = JsonWebKey & { kid?: string }

/** Returns the keys of the business profile: those of the member `keys`, and those of its older name `signing_keys`. */
export function publishedKeys({ keys = [], signing_keys = [] }: Members): PublishedKey[] {
  return [...expectList(keys, 'keys'), ...expectList(signing_keys, 'signing_keys')]
}

/** Returns the parts of a request that are not headers (RFC 9421, section 2.2), such as `@method`. */
export function requestComponents(method: string, url: URL): Record<string, string> {
  return {
    '@method': method,
    '@authority': url.host,
    '@path': url.pathname,
    '@query': url.search || '?',
    '@scheme': url.protocol.replace(':', ''),
    '@request-target': url.pathname + url.search,
    '@target-uri': url.href,
  }
}

/** Reads the first signature (RFC 9421) of a message. */
export function readSignature({ headers }: SignedMessage): MessageSignature {
  const inputs = membersOf(headers['signature-input'])
  const values = membersOf(headers.signature)
  const [[label = '', input = ''] = []] = inputs
  const [, names, rest = ''] = /^\(("[^"\s]+"(?: "[^"\s]+")*)\)(.*)$/.exec(input) ?? []
  if (names === undefined)
    throw new Mismatch('a Signature-Input header with a list of components', show(headers['signature-input']))
  const [, value] = /^:([A-Za-z0-9+/]+=*):$/.exec(values.get(label) ?? '') ?? []
  if (value === undefined)
    throw new Mismatch(`a Signature header with a byte sequence for ${label}`, show(headers.signature))
  return {
    labels: [...new Set([...inputs.keys(), ...values.keys()])],
    components: names.split(' ').map((name) => name.slice(1, -1)),
    parameters: parametersOf(rest),
    value: Buffer.from(value, 'base64'),
    input,
  }
}

/** Requires that one of the keys made the first signature of the message. Returns the signature and the key. */
export function verifySignature(message: SignedMessage, keys: PublishedKey[]) {
  const signature = readSignature(message)
  const { components, parameters, input, value } = signature
  const { keyid = '' } = parameters
  const key = keys.find(({ kid }) => kid === keyid)
  if (!key) throw new Mismatch('a keyid of the business profile in Signature-Input', show(keyid))
  const lines = components.map((name) => `"${name}": ${componentOf(message, name)}`)
  const base = [...lines, `"@signature-params": ${input}`].join('\n')
  expectTrue(isSigned(base, value, key), 'a valid signature', `"${base}"`)
  return { ...signature, key }
}

/** Parses a dictionary (RFC 9651) such as `a=:AAAA:, b=:AAAA:`. Returns its values by their keys. */
function membersOf(field = ''): Map<string, string> {
  const members = field.split(/\s*,\s*(?=[a-z*][\w.*-]*=)/)
  return new Map(
    members.map((member) => {
      const [, key = '', value = ''] = /^([a-z*][\w.*-]*)=(.*)$/.exec(member) ?? []
      return [key, value]
    }),
  )
}

function parametersOf(text: string): MessageSignature['parameters'] {
  const parameters = [...text.matchAll(/;([a-z]+)=("[^"]*"|[^;]*)/g)]
  return Object.fromEntries(
    parameters.map(([, name = '', value = '']) => [name, value.startsWith('"') ? value.slice(1, -1) : Number(value)]),
  )
}

function componentOf({ headers, derived }: SignedMessage, name: string): string {
  const value = derived[name] ?? headers[name]
  if (value === undefined) throw new Mismatch('a signature over components of the message', `the component ${name}`)
  return value.trim()
}

function isSigned(base: string, signature: Buffer, jwk: PublishedKey): boolean {
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  if (jwk.kty === 'OKP') return verify(null, Buffer.from(base), key, signature)
  const hash = jwk.crv === 'P-384' ? 'sha384' : 'sha256'
  return verify(hash, Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, signature)
}
