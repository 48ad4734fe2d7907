import { createSecretKey, type KeyObject, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { seal, unseal } from '../keys/encrypt-secrets.ts'

const SALT_BYTES = 16

/**
 * The settings of scrypt, which derives an encryption key from the passphrase of a backup. One derivation needs 64 MB
 * of memory and some tenths of a second. This cost slows down an attacker who tries many passphrases.
 */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 }

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

const keyOf = async (passphrase: string, salt: Buffer): Promise<KeyObject> =>
  createSecretKey(await derive(passphrase.normalize('NFKC'), salt, 32, COST))

export async function sealSecret(secret: string, passphrase: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return Buffer.concat([salt, seal(await keyOf(passphrase, salt), secret)]).toString('base64')
}

export async function openSecret(sealed: string, passphrase: string): Promise<string> {
  const box = Buffer.from(sealed, 'base64')
  const key = await keyOf(passphrase, box.subarray(0, SALT_BYTES))
  try {
    return unseal(key, box.subarray(SALT_BYTES))
  } catch {
    throw new PlainError('USP_BACKUP_PASSPHRASE is not the passphrase that this backup was made with.')
  }
}
