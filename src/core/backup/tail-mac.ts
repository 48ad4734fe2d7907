import { createHmac, timingSafeEqual } from 'node:crypto'
import { PlainError } from '../../infra/util/plain-error.ts'
import { canonical } from '../../protocol/json.ts'
import { deriveKey } from '../keys/secret-box.ts'
import type { Tail } from './format.ts'

/** The tail contains the digest of all bytes before it, so this MAC authenticates the whole backup. */
export const tailMac = (secretKey: string, tail: Omit<Tail, 'mac'>): string =>
  createHmac('sha256', deriveKey(secretKey, 'backup')).update(canonical(tail)).digest('hex')

/** Refuses a backup that none of these secret keys authenticates. */
export function refuseForged(file: string, { mac, ...tail }: Tail, secretKeys: readonly string[]): void {
  if (mac === undefined)
    throw new PlainError(
      `${file} is not authenticated: an older version wrote it, or the file was changed. Nothing was restored. ${UNCHECKED}`,
    )
  const given = Buffer.from(mac, 'hex')
  const isOurs = secretKeys.some((key) => {
    const own = Buffer.from(tailMac(key, tail), 'hex')
    return given.length === own.length && timingSafeEqual(own, given)
  })
  if (!isOurs)
    throw new PlainError(
      `${file} was changed, or was made with another secret key than the one that is set here. Nothing was restored. ` +
        `Set USP_SECRET_KEY to its value at the time of the backup, or set USP_BACKUP_PASSPHRASE. ${UNCHECKED}`,
    )
}

export const UNCHECKED = 'If you trust the file, restore it with --unchecked.'
