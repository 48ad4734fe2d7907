import { createCipheriv, createDecipheriv, createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto'
import { randomBytes } from '../../infra/util/random-bytes.ts'

/** Creates a random secret of 256 bits. The prefix shows the purpose of the secret to a person who finds it. */
export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`

/**
 * Returns the digest that the server stores instead of a secret. A fast hash without a salt is enough, because an
 * attacker cannot guess 256 random bits.
 */
export const secretDigest = (secret: string): Buffer => hash('sha256', secret, 'buffer')

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Derives a key for one purpose from the server's secret key. A key for another purpose cannot decrypt the same values.
 */
export const deriveKey = (secret: string, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'usp-server', purpose, 32)))

/** Encrypts a text with AES-256-GCM. The result contains the nonce, the authentication tag and the encrypted text. */
export function seal(key: KeyObject, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/**
 * Decrypts a text that this server has encrypted. Throws an error if the key is wrong or the encrypted text was
 * changed.
 */
export function unseal(key: KeyObject, box: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** Decrypts a text. Returns undefined if the key is wrong or the encrypted text was changed. */
export function unsealIfPossible(key: KeyObject, box: Buffer): string | undefined {
  try {
    return unseal(key, box)
  } catch {
    return undefined
  }
}

/**
 * The keys that encrypt data in the database, one key for each purpose. The server derives all of them from its secret
 * key.
 */
export interface SealingKeys {
  replies: KeyObject
  signingKeys: KeyObject
  oauthKeys: KeyObject
  mailServer: KeyObject
  push: KeyObject
  calendars: KeyObject
  textProvider: KeyObject
  companySignIn: KeyObject
}

export const sealingKeysOf = (secretKey: string): SealingKeys => ({
  replies: deriveKey(secretKey, 'replies'),
  signingKeys: deriveKey(secretKey, 'signing keys'),
  oauthKeys: deriveKey(secretKey, 'oauth keys'),
  mailServer: deriveKey(secretKey, 'mail server'),
  push: deriveKey(secretKey, 'push notifications'),
  calendars: deriveKey(secretKey, 'calendars'),
  textProvider: deriveKey(secretKey, 'text provider'),
  companySignIn: deriveKey(secretKey, 'company sign-in'),
})
