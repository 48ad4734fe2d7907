import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** Each server must accept EdDSA in proofs of possession, and ES256 in HTTP message signatures. */
export type Algorithm = 'ES256' | 'EdDSA'

/** A key pair of a platform. */
export class KeyPair {
  readonly algorithm: Algorithm
  readonly jwk: Record<string, string>
  /** The RFC 7638 thumbprint (digest) of the public key. */
  readonly thumbprint: string
  readonly #privateKey: KeyObject

  constructor(algorithm: Algorithm) {
    const { publicKey, privateKey } =
      algorithm === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
    this.algorithm = algorithm
    this.#privateKey = privateKey
    const { crv = '', kty = '', x = '', y } = publicKey.export({ format: 'jwk' }) as Record<string, string>
    // RFC 7638 prescribes this order of the members for the thumbprint.
    this.jwk = { crv, kty, x, ...(y !== undefined && { y }) }
    this.thumbprint = sha256(JSON.stringify(this.jwk)).toString('base64url')
  }

  /** The public key as the profile of the platform publishes it. */
  get published(): Record<string, string> {
    return { kid: this.thumbprint, use: 'sig', alg: this.algorithm, ...this.jwk }
  }

  /** Signs a text. The protocol allows only the encoding `ieee-p1363` for ES256 signatures. */
  sign(text: string, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363'): Buffer {
    return this.algorithm === 'ES256'
      ? sign('sha256', Buffer.from(text), { key: this.#privateKey, dsaEncoding })
      : sign(null, Buffer.from(text), this.#privateKey)
  }
}
