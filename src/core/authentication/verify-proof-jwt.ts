import { hash, timingSafeEqual } from 'node:crypto'
import { ProtocolError } from '../../protocol/errors.ts'
import { type PublicJwk, type VerificationKey, verificationKey } from '../keys/public-keys.ts'

export interface Expected {
  typ: 'dpop+jwt' | 'usp-pop+jwt'
  /**
   * The checks of the JWT claims that connect a proof with its call. The protocol defines the order of the checks
   * (steps 8 and 9).
   */
  claims: Record<string, (value: unknown) => boolean>
  /**
   * The credential or token that the caller sent with the proof. If the credential is bound to a key, `jkt` is the
   * thumbprint of this key. Otherwise, `jkt` is undefined.
   */
  credential?: { value: string; jkt: string | undefined } | undefined
  now: Date
  /**
   * Checks the `nonce` claim of a proof. If the server requires nonces, the function throws an error for a missing or
   * invalid nonce.
   */
  checkNonce(nonce: unknown): void
}

export interface Proof {
  thumbprint: string
  jti: string
}

const LONGEST = 8192
const SKEW_SECONDS = 60
const HEADER = new Set(['typ', 'alg', 'jwk', 'kid'])
/**
 * The JWT claims that each proof may contain. Some DPoP libraries add `exp` and `nbf`, which RFC 7519 allows in each
 * JWT.
 */
const COMMON = ['iat', 'jti', 'ath', 'nonce', 'exp', 'nbf']
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/**
 * Runs steps 4 to 11 of the protocol's check of a proof. If a proof has several faults, the order of the steps decides
 * the error code. `refuseReplay` runs step 12, because step 12 writes to the database.
 */
export function verifyProof(proof: string, expected: Expected): Proof {
  const { header, payload, signed, signature } = parse(proof)
  if (header.typ !== expected.typ) throw invalid(`its typ must be ${expected.typ}`)
  const key = headerKey(header)
  if (expected.credential?.jkt !== undefined && key.thumbprint !== expected.credential.jkt)
    throw new ProtocolError('pop_key_mismatch', 'The credential is bound to another key than the key of the proof.')
  if (!key.verifies(signed, signature)) throw invalid('its signature does not verify')
  refuseUnknownClaims(payload, expected)
  for (const [name, holds] of Object.entries(expected.claims))
    if (!holds(payload[name])) throw invalid(`its ${name} does not match this call`)
  checkAth(payload.ath, expected)
  checkTime(payload, expected.now)
  const { jti } = payload
  if (typeof jti !== 'string' || jti === '' || jti.length > 256) throw invalid('its jti is missing')
  expected.checkNonce(payload.nonce)
  return { thumbprint: key.thumbprint, jti }
}

type Members = Record<string, unknown>

function parse(proof: string): { header: Members; payload: Members; signed: Buffer; signature: Buffer } {
  if (proof.length > LONGEST) throw invalid('it is not a compact JWS')
  const [header = '', payload = '', signature = '', ...more] = proof.split('.')
  const parts = [header, payload]
  if (more.length > 0 || !parts.every((part) => /^[\w-]+$/.test(part)) || !/^[\w-]*$/.test(signature))
    throw invalid('it is not a compact JWS')
  const [decodedHeader, decodedPayload] = parts.map(decoded)
  if (!decodedHeader || !decodedPayload) throw invalid('it is not a compact JWS')
  return {
    header: decodedHeader,
    payload: decodedPayload,
    signed: Buffer.from(`${header}.${payload}`),
    signature: Buffer.from(signature, 'base64url'),
  }
}

function decoded(part: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the public key in the header of a proof. The function ignores the key id (`kid`), because a proof contains
 * its whole public key.
 */
function headerKey(header: Members): VerificationKey {
  if (!Object.keys(header).every((name) => HEADER.has(name))) throw invalid('its header has an unknown member')
  const { alg, jwk } = header
  const expected = { EdDSA: 'EdDSA', Ed25519: 'EdDSA', ES256: 'ES256' }[String(alg)]
  if (!expected) throw invalid('its alg must be EdDSA, Ed25519 or ES256')
  if (typeof jwk !== 'object' || jwk === null) throw invalid('its header has no jwk')
  if (PRIVATE.some((member) => member in jwk)) throw invalid('its jwk contains a private key, which is now compromised')
  const { alg: _, ...members } = jwk as PublicJwk
  const key = verificationKey(members)
  if (key?.algorithm !== expected) throw invalid('its jwk is not a key for its alg')
  return key
}

/** Refuses a proof with an unknown claim, because the protocol allows only certain claims (§10.1.6). */
function refuseUnknownClaims(payload: Members, { claims }: Expected) {
  const known = new Set([...Object.keys(claims), ...COMMON])
  if (!Object.keys(payload).every((name) => known.has(name)))
    throw invalid(`only these claims are allowed (§10.1.6): ${[...known].join(', ')}`)
}

function checkAth(ath: unknown, { credential }: Expected) {
  if (!credential) {
    if (ath !== undefined) throw invalid('it has an ath, but there is no credential')
    return
  }
  const expected = Buffer.from(hash('sha256', credential.value, 'base64url'))
  const given = Buffer.from(String(ath))
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw invalid('its ath does not match the credential')
}

/**
 * Checks the times in a proof. `iat` and `nbf` have a tolerance of 60 seconds, because the caller's clock can be wrong.
 * The expiry time `exp` has no tolerance, because the caller itself chose this time.
 */
function checkTime({ iat, exp, nbf }: Members, now: Date) {
  const seconds = now.getTime() / 1000
  if (typeof iat !== 'number') throw invalid('its iat is missing')
  if (Math.abs(seconds - iat) > SKEW_SECONDS) throw invalid(`its iat is more than ${SKEW_SECONDS} seconds off`)
  if (exp !== undefined && !(typeof exp === 'number' && seconds < exp))
    throw invalid('its exp is in the past, or not a number')
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf - seconds <= SKEW_SECONDS))
    throw invalid('its nbf is in the future, or not a number')
}

const invalid = (why: string) =>
  new ProtocolError('pop_proof_invalid', `The proof is not valid: ${why}.`, { mechanism: 'platform_key_pop' })
