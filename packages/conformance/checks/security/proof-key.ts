import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { CallOptions } from '../../caller/caller.ts'
import { type Algorithm, KeyPair } from '../../caller/key-pair.ts'
import type { ProofContents } from '../../caller/possession-proof.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { proofCheck, requireAlgorithm } from './mechanism-check.ts'
import { expectAccepted, expectRefused, newKeyCaller, probe, secondsNow } from './probe.ts'

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** The rules, a part of the title, and contents with an invalid key or signature. */
type InvalidKey = [rules: string, title: string, contents: (key: KeyPair) => ProofContents]

const header = (changed: object) => () => ({ header: changed })

const invalidKeys: InvalidKey[] = [
  ['POP-043', 'a proof with an HMAC that uses the public key as its secret', hmacProof],
  ['POP-043', 'a proof with RS256', rsaProof],
  ['POP-043', 'a proof with ES384', header({ alg: 'ES384' })],
  ['POP-054', 'a proof with the alg none that has a signature', header({ alg: 'none' })],
  [
    'POP-054 POP-102',
    'a proof with the alg none and no signature',
    () => ({ header: { alg: 'none' }, change: (proof) => proof.replace(/[^.]*$/, '') }),
  ],
  ...PRIVATE_MEMBERS.map((member): InvalidKey => {
    const contents = ({ jwk }: KeyPair) => ({ header: { jwk: { ...jwk, [member]: 'AQAB' } } })
    return ['POP-044', `a proof with the private member ${member} in its jwk`, contents]
  }),
  ['POP-045', 'a proof without jwk', header({ jwk: undefined, kid: 'key-1' })],
  ['POP-045', 'a proof with a text as its jwk', ({ jwk }) => ({ header: { jwk: JSON.stringify(jwk) } })],
  [
    'POP-045',
    'a proof with a jwk of another type than its alg',
    ({ algorithm }) => ({ header: { jwk: new KeyPair(algorithm === 'EdDSA' ? 'ES256' : 'EdDSA').jwk } }),
  ],
  ['POP-045', 'a proof with an incomplete key as its jwk', ({ jwk }) => ({ header: { jwk: { ...jwk, x: 'AQAB' } } })],
  [
    'POP-056',
    'a proof that another key than its jwk signed',
    ({ algorithm }) => ({ header: { jwk: new KeyPair(algorithm).jwk } }),
  ],
  ['POP-056', 'a proof with a changed signature', () => ({ change: flipFirstSignatureByte })],
  ['POP-048', 'a proof with two parts', () => ({ change: (proof) => proof.replace(/\.[^.]*$/, '') })],
  ['POP-048', 'a proof with four parts', () => ({ change: (proof) => `${proof}.AAAA` })],
  ['POP-048', 'a proof with padding', () => ({ change: (proof) => `${proof}==` })],
  ['POP-048', 'a proof in the JSON form', () => ({ change: jsonForm })],
  ['POP-048 POP-053', 'a proof that is not a JWS', () => ({ change: () => 'garbage' })],
]

const curves = ['X448', 'X25519', 'Ed448']

export const proofKeyChecks = [
  ...invalidKeys.map(([rules, title, contents]) =>
    proofCheck(rules, `The server refuses ${title}`, async (c) => {
      const { key, caller } = newKeyCaller(c)
      expectRefused(await probe(caller, { proof: contents(key) }), 'pop_proof_invalid')
    }),
  ),
  proofCheck(
    'LIV-106',
    'The server refuses an EdDSA key that names another curve, and does not bind the key to a profile',
    async (c) => {
      requireAlgorithm(c, 'proof', 'EdDSA')
      const { key, caller } = newKeyCaller(c, 'EdDSA')
      for (const crv of curves)
        expectRefused(await probe(caller, { proof: { header: { jwk: { ...key.jwk, crv } } } }), 'pop_proof_invalid')
      const other = c.callerFor({ profile: c.newPlatform().hosted.profile, key })
      expectAccepted(await probe(other))
    },
  ),
  accepts('POP-040', 'an EdDSA key', {}, 'EdDSA'),
  accepts('POP-041', 'an ES256 key', {}, 'ES256'),
  accepts('POP-046', 'a proof with a kid', { header: { kid: 'anything' } }),
  accepts('POP-091', 'a proof with a nonce that the server did not demand', { claims: { nonce: 'unasked' } }),
  proofCheck('POP-064 POP-065', 'The server accepts a proof whose time differs by less than a minute', async (c) => {
    for (const seconds of [-50, 55])
      expectAccepted(await probe(c.sharedPlatform.caller, { proof: { claims: { iat: secondsNow() + seconds } } }))
  }),
]

function accepts(rules: string, title: string, proof: NonNullable<CallOptions['proof']>, algorithm?: Algorithm) {
  return proofCheck(rules, `The server accepts ${title}`, async (c: CheckContext) => {
    // The protocol demands EdDSA. ES256 is optional.
    if (algorithm === 'ES256') requireAlgorithm(c, 'proof', algorithm)
    const { caller } = newKeyCaller(c, algorithm)
    expectAccepted(await probe(caller, { proof }))
  })
}

function hmacProof({ jwk }: KeyPair): ProofContents {
  const authenticate = (text: string) => createHmac('sha256', JSON.stringify(jwk)).update(text).digest('base64url')
  return { header: { alg: 'HS256' }, change: signedAnew(authenticate) }
}

function rsaProof(): ProofContents {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  const change = signedAnew((text) => sign('sha256', Buffer.from(text), privateKey).toString('base64url'))
  return { header: { alg: 'RS256', jwk }, change }
}

/** Replaces the signature of a proof. */
const signedAnew = (signatureOf: (text: string) => string) => (proof: string) => {
  const text = proof.slice(0, proof.lastIndexOf('.'))
  return `${text}.${signatureOf(text)}`
}

export function flipFirstSignatureByte(proof: string): string {
  const [header, payload, signature = ''] = proof.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
  return `${header}.${payload}.${bytes.toString('base64url')}`
}

function jsonForm(proof: string): string {
  const [header, payload, signature] = proof.split('.')
  return JSON.stringify({ payload, signatures: [{ protected: header, signature }] })
}
