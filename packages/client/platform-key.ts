import type { SigningKey } from '../../src/protocol/types.generated.ts'
import { base64url } from './base64url.ts'
import { digestOf } from './compute-digest.ts'

/** The private key of a platform as a JWK (RFC 7517): a P-256 key or an Ed25519 key. */
export interface PrivateJwk {
  kty?: string | undefined
  crv?: string | undefined
  x?: string | undefined
  y?: string | undefined
  d?: string | undefined
  /** The id of the key. The default is the thumbprint of the key. */
  kid?: unknown
}

/** The platform's public key as a JWK. The JWK has only the required members. */
interface PublicJwk {
  kty: string
  crv: string
  x: string
  y?: string
}

export interface PlatformKey {
  algorithm: 'EdDSA' | 'ES256'
  /** The SHA-256 thumbprint (digest) of the platform's public key (RFC 7638). */
  thumbprint: string
  keyid: string
  jwk: PublicJwk
  sign(text: string): Promise<ArrayBuffer>
}

const importParameters = { EdDSA: { name: 'Ed25519' }, ES256: { name: 'ECDSA', namedCurve: 'P-256' } }
const signParameters = { EdDSA: { name: 'Ed25519' }, ES256: { name: 'ECDSA', hash: 'SHA-256' } }

/**
 * Creates a private key. The platform must keep it secret, because a person with the key can act as the platform at
 * each business.
 */
export async function generateKey(algorithm: PlatformKey['algorithm'] = 'EdDSA'): Promise<PrivateJwk> {
  const pair = await crypto.subtle.generateKey(importParameters[algorithm], true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new TypeError(`${algorithm} has no pairs of keys.`)
  const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return { ...publicHalf(jwk), d: jwk.d }
}

/** Returns the public key as an entry for the member `keys` of the platform profile, where businesses find it. */
export async function publishedKey(key: PrivateJwk): Promise<SigningKey> {
  const { keyid, algorithm, jwk } = await describeKey(key)
  return { kid: keyid, ...jwk, use: 'sig', alg: algorithm }
}

export async function openKey(privateJwk: PrivateJwk): Promise<PlatformKey> {
  const described = await describeKey(privateJwk)
  const { algorithm, jwk } = described
  const { d } = privateJwk
  if (d === undefined) throw wrongKind()
  const key = await crypto.subtle.importKey('jwk', { ...jwk, d }, importParameters[algorithm], false, ['sign'])
  return {
    ...described,
    sign: (text) => crypto.subtle.sign(signParameters[algorithm], key, new TextEncoder().encode(text)),
  }
}

async function describeKey(privateJwk: PrivateJwk): Promise<Omit<PlatformKey, 'sign'>> {
  const jwk = publicHalf(privateJwk)
  const thumbprint = base64url(await digestOf(JSON.stringify(jwk)))
  const keyid = typeof privateJwk.kid === 'string' ? privateJwk.kid : thumbprint
  return { algorithm: jwk.kty === 'EC' ? 'ES256' : 'EdDSA', thumbprint, keyid, jwk }
}

/** Returns the members of a public key that RFC 7638 requires for its thumbprint, in the required order. */
function publicHalf({ kty, crv, x, y }: PrivateJwk): PublicJwk {
  if (kty === 'EC' && crv === 'P-256' && x !== undefined && y !== undefined) return { crv, kty, x, y }
  if (kty === 'OKP' && crv === 'Ed25519' && x !== undefined) return { crv, kty, x }
  throw wrongKind()
}

const wrongKind = () => new TypeError('The key must be a private JWK of kind P-256 or Ed25519.')
