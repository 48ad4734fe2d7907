import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { Members } from '../../caller/answer.ts'
import { digestOf } from '../../caller/message-signature.ts'
import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'

export interface SignedMessage {
  headers: Record<string, string>
  body: string
  /** The values of the components that are no headers, such as `@method`. */
  derived: Record<string, string>
}

export interface MessageSignature {
  components: string[]
  parameters: Record<string, string>
  value: Buffer
  /** `Signature-Input` without the label. */
  input: string
}

/** Reads the only signature of a message. */
export function readSignature({ headers }: SignedMessage): MessageSignature {
  const input = /^[a-z*][\w.*-]*=(\(([^)]*)\)(.*))$/.exec(headers['signature-input'] ?? '')
  const value = /^[a-z*][\w.*-]*=:([A-Za-z0-9+/]+=*):$/.exec(headers.signature ?? '')
  expectTrue(input !== null, 'a Signature-Input with one signature', headers['signature-input'])
  expectTrue(value !== null, 'a Signature with one byte sequence', headers.signature)
  const [, whole = '', names = '', rest = ''] = input
  const parameters = [...rest.matchAll(/;([a-z]+)=("?)([^";]*)\2/g)].map(([, name = '', , text = '']) => [name, text])
  return {
    components: names.split(' ').map((name) => name.replaceAll('"', '')),
    parameters: Object.fromEntries(parameters),
    value: Buffer.from(value[1] ?? '', 'base64'),
    input: whole,
  }
}

/** Requires that a key of the profile made the signature (ES256), and that the digest is that of the body. */
export function expectSignedByProfile(message: SignedMessage, profile: Members): MessageSignature {
  const { headers, body, derived } = message
  const signature = readSignature(message)
  const keys = [...expectList(profile.keys ?? [], 'keys'), ...expectList(profile.signing_keys ?? [], 'signing_keys')]
  const key = keys.find(({ kid }) => kid === signature.parameters.keyid)
  expectTrue(key !== undefined, `a key ${signature.parameters.keyid} in the profile`, keys)
  expectEqual(headers['content-digest'], digestOf(body), 'Content-Digest')
  const lines = signature.components.map((name) => `"${name}": ${derived[name] ?? headers[name]}`)
  const base = [...lines, `"@signature-params": ${signature.input}`].join('\n')
  const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
  const isValid = verify('sha256', Buffer.from(base), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature.value)
  expectTrue(isValid, 'a valid ES256 signature', 'a signature that does not verify')
  return signature
}
