import { createCipheriv, createECDH, type ECDH, hkdfSync } from 'node:crypto'
import { randomBytes } from '../../infra/util/random-bytes.ts'

/** The keys of a browser for push messages (RFC 8291). */
export interface BrowserKeys {
  /** The public key on the curve P-256: 65 bytes. */
  publicKey: Buffer
  /** A secret of 16 bytes that only the browser and this server know. */
  secret: Buffer
}

const PUBLIC_KEY_BYTES = 65
export const SECRET_BYTES = 16
const SALT_BYTES = 16
const TAG_BYTES = 16

/**
 * Encrypts the text of a push message for one browser, so that the push service cannot read it (RFC 8291). The parameters
 * `own` and `salt` must be new for each message. Only tests pass them.
 */
export function encryptPushMessage(
  text: Buffer,
  { publicKey, secret }: BrowserKeys,
  { own = newKeyPair(), salt = randomBytes(SALT_BYTES) }: { own?: ECDH; salt?: Buffer } = {},
): Buffer {
  const ownPublicKey = own.getPublicKey()
  const context = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, ownPublicKey])
  const material = derive(own.computeSecret(publicKey), secret, context, 32)
  const key = derive(material, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(material, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES })
  // The byte 2 marks the end of the last record (RFC 8188). The message has only one record.
  const record = Buffer.concat([cipher.update(Buffer.concat([text, Buffer.from([2])])), cipher.final()])
  return Buffer.concat([headerOf(salt, ownPublicKey), record, cipher.getAuthTag()])
}

function newKeyPair(): ECDH {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return pair
}

const derive = (material: Buffer, salt: Buffer, info: string | Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', material, salt, info, bytes))

/** The size of a record (RFC 8188). Each message is shorter, because push services accept only 4,096 bytes in all. */
const RECORD_BYTES = 4_096

function headerOf(salt: Buffer, publicKey: Buffer): Buffer {
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(RECORD_BYTES)
  sizes.writeUInt8(publicKey.length, 4)
  return Buffer.concat([salt, sizes, publicKey])
}

/** Whether the bytes are a point on the curve P-256 in the uncompressed form. */
export function isPublicKey(bytes: Buffer): boolean {
  if (bytes.length !== PUBLIC_KEY_BYTES) return false
  try {
    newKeyPair().computeSecret(bytes)
    return true
  } catch {
    return false
  }
}
