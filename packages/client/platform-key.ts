import { createPrivateKey, generateKeyPairSync, hash, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import type { SigningKey } from '../../src/protocol/types.generated.ts'

export interface PlatformKey {
  algorithm: 'EdDSA' | 'ES256'
  /** The SHA-256 thumbprint (digest) of the platform's public key (RFC 7638). */
  thumbprint: string
  keyid: string
  /** The platform's public key as a JWK. The JWK has only the required members. */
  jwk: { kty: string; crv: string; x: string; y?: string }
  sign(text: string): Buffer
}

/**
 * Creates a private key. The platform must keep it secret, because a person with the key can act as the platform at
 * each business.
 */
export function generateKey(algorithm: PlatformKey['algorithm'] = 'EdDSA'): JsonWebKey {
  const { privateKey } =
    algorithm === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ format: 'jwk' })
}

/** Returns the public key as an entry for the member `keys` of the platform profile, where businesses find it. */
export function publishedKey(key: JsonWebKey): SigningKey {
  const { algorithm, keyid, jwk } = openKey(key)
  return { kid: keyid, ...jwk, use: 'sig', alg: algorithm }
}

export function openKey(privateJwk: JsonWebKey): PlatformKey {
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' })
  const jwk = publicHalf(privateJwk)
  const thumbprint = hash('sha256', JSON.stringify(jwk), 'base64url')
  const keyid = typeof privateJwk.kid === 'string' ? privateJwk.kid : thumbprint
  return jwk.kty === 'EC'
    ? { algorithm: 'ES256', thumbprint, keyid, jwk, sign: (text) => signEcdsa(key, text) }
    : { algorithm: 'EdDSA', thumbprint, keyid, jwk, sign: (text) => sign(null, Buffer.from(text), key) }
}

/** Returns the members of a public key that RFC 7638 requires for its thumbprint, in the required order. */
function publicHalf({ kty, crv, x, y }: JsonWebKey): PlatformKey['jwk'] {
  if (kty === 'EC' && crv === 'P-256' && x !== undefined && y !== undefined) return { crv, kty, x, y }
  if (kty === 'OKP' && crv === 'Ed25519' && x !== undefined) return { crv, kty, x }
  throw new TypeError('The key must be a private JWK of kind P-256 or Ed25519.')
}

const signEcdsa = (key: KeyObject, text: string) =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
