import { constants, createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export interface PublicJwk {
  kty: string
  crv?: string
  x?: string
  y?: string
  n?: string
  e?: string
  alg?: string
}

type Algorithm = 'ES256' | 'ES384' | 'EdDSA' | 'RS256' | 'PS512'

export interface VerificationKey {
  /** The thumbprint (a digest by RFC 7638) of the public key. */
  thumbprint: string
  algorithm: Algorithm
  verifies(data: Buffer, signature: Buffer): boolean
}

/**
 * The maximum length of the modulus `n` (4,096 bits) and the exponent `e` of an RSA key, in base64url characters. The
 * limit is necessary, because callers choose their keys, and a modulus of twice this length makes each verification
 * seven times slower.
 */
const MAX_CHARACTERS = { n: 683, e: 6 }

/**
 * Caches imported public keys. Importing a key and verifying a signature take equally long, and most callers send
 * several calls.
 */
const importedKeys = new LRUCache<string, VerificationKey>({ max: 10_000 })
/**
 * Caches imported keys by the key object in a cached profile. A lookup in this cache is fast, because it does not
 * compute the thumbprint of the key.
 */
const importedKeysByJwk = new WeakMap<PublicJwk, VerificationKey>()

/**
 * Imports a public key for the verification of signatures. Returns undefined if the key is invalid or its type is not
 * supported.
 */
export function verificationKey(jwk: PublicJwk): VerificationKey | undefined {
  const before = importedKeysByJwk.get(jwk)
  if (before) return before
  const algorithm = algorithmOf(jwk)
  if (!algorithm) return undefined
  const thumbprint = thumbprintOf(jwk)
  const name = `${algorithm} ${thumbprint}`
  const key = importedKeys.get(name) ?? importKey(jwk, algorithm, thumbprint)
  if (!key) return undefined
  importedKeys.set(name, key)
  importedKeysByJwk.set(jwk, key)
  return key
}

/**
 * Returns the thumbprint (digest) of a public key without importing the key. Returns undefined if the type of the key
 * is not supported.
 */
export const usableThumbprint = (jwk: PublicJwk): string | undefined =>
  algorithmOf(jwk) === undefined ? undefined : thumbprintOf(jwk)

/**
 * Computes the thumbprint (digest) of a public key by RFC 7638. Only the JSON properties that define the key are part
 * of the digest.
 */
export function thumbprintOf({ kty, crv, x, y, n, e }: PublicJwk): string {
  const members = new Map<string, object>([
    ['EC', { crv, kty, x, y }],
    ['OKP', { crv, kty, x }],
    ['RSA', { e, kty, n }],
  ])
  return hash('sha256', JSON.stringify(members.get(kty) ?? { kty }), 'base64url')
}

const curves: Record<string, Algorithm> = { 'P-256': 'ES256', 'P-384': 'ES384', Ed25519: 'EdDSA' }

function algorithmOf({ kty, crv = '', alg }: PublicJwk): Algorithm | undefined {
  const natural =
    kty === 'RSA' ? (alg === 'PS512' ? 'PS512' : 'RS256') : Object.hasOwn(curves, crv) ? curves[crv] : undefined
  const algorithmName = alg === 'Ed25519' ? 'EdDSA' : alg
  return algorithmName === undefined || algorithmName === natural ? natural : undefined
}

function importKey(
  { kty, crv, x, y, n, e }: PublicJwk,
  algorithm: Algorithm,
  thumbprint: string,
): VerificationKey | undefined {
  if ((n ?? '').length > MAX_CHARACTERS.n || (e ?? '').length > MAX_CHARACTERS.e) return undefined
  try {
    const members = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined)
    const key = createPublicKey({ key: Object.fromEntries(members), format: 'jwk' })
    if (!isCanonical({ x, y, n, e }, key)) return undefined
    if (kty === 'RSA' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) return undefined
    return { thumbprint, algorithm, verifies: (data, signature) => verifies(key, algorithm, data, signature) }
  } catch {
    return undefined
  }
}

/**
 * Whether a key has its canonical form. Decoders accept several spellings of the same key, and each spelling has a
 * different thumbprint. The server refuses all other spellings, so that one caller cannot get several stored names.
 */
function isCanonical(members: Record<string, string | undefined>, key: KeyObject): boolean {
  const canonical = new Map(Object.entries(key.export({ format: 'jwk' })))
  return Object.entries(members).every(([name, value]) => value === undefined || value === canonical.get(name))
}

/**
 * Verifies a signature. For ECDSA, RFC 9421 allows only the form with a fixed length. The server refuses the DER form,
 * so that each signature has only one spelling.
 */
function verifies(key: KeyObject, algorithm: Algorithm, data: Buffer, signature: Buffer): boolean {
  switch (algorithm) {
    case 'ES256':
      return signature.length === 64 && verify('sha256', data, key, ecdsaDer(signature))
    case 'ES384':
      return signature.length === 96 && verify('sha384', data, key, ecdsaDer(signature))
    case 'EdDSA':
      return signature.length === 64 && verify(null, data, key, signature)
    case 'RS256':
      return verify('sha256', data, key, signature)
    case 'PS512':
      return verify('sha512', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }, signature)
  }
}

/**
 * Converts an ECDSA signature from the form with a fixed length to DER. OpenSSL can make this conversion too, but then
 * the conversion takes a third of the time of a verification (`npm run bench`). For curves up to P-384, each length
 * fits into one byte.
 */
export function ecdsaDer(signature: Buffer): Buffer {
  const half = signature.length / 2
  const r = integer(signature.subarray(0, half))
  const s = integer(signature.subarray(half))
  return Buffer.from([0x30, r.length + s.length, ...r, ...s])
}

/** Encodes an integer in DER in its shortest form. A leading zero byte marks the integer as positive. */
function integer(bytes: Buffer): number[] {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = [...bytes.subarray(start)]
  if ((digits[0] ?? 0) > 127) digits.unshift(0)
  return [2, digits.length, ...digits]
}
