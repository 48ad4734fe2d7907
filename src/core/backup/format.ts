import { createHmac, timingSafeEqual } from 'node:crypto'
import { PlainError } from '../../infra/util/plain-error.ts'
import { canonical } from '../../protocol/json.ts'
import { deriveKey } from '../keys/secrets.ts'

/*
 * A backup is a gzip file of parts, each ended by NUL. The head describes the backup. For each table follow its name
 * and columns, then its rows in COPY format. The tail has counts and checksums.
 */

export const FORMAT = 'usp-server backup 1'

export interface Head {
  format: typeof FORMAT
  taken_at: string
  /** The migrations that ran on the database, with their checksums. */
  migrations: { name: string; sha256: string }[]
  /** The secret key, sealed by the passphrase; base64. */
  secret?: string
}

export interface Section {
  table: string
  columns: string[]
}

export interface Tail {
  rows: Record<string, number>
  sequences: Record<string, string>
  /** Uncompressed bytes before this part, and their digest. */
  bytes: number
  sha256: string
  /** Authenticates the rest of the tail with the secret key. Backups of older versions have none. */
  mac?: string
}

/** No text in PostgreSQL contains NUL. */
export const NUL = Buffer.of(0)

export const encodedPart = (part: Head | Section | Tail) => Buffer.concat([Buffer.from(JSON.stringify(part)), NUL])

export const copyClause = ({ table, columns }: Section) =>
  `copy public."${table}" (${columns.map((column) => `"${column}"`).join(', ')})`

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
    const expected = Buffer.from(tailMac(key, tail), 'hex')
    return given.length === expected.length && timingSafeEqual(expected, given)
  })
  if (!isOurs)
    throw new PlainError(
      `${file} was changed, or was made with another secret key than the one that is set here. Nothing was restored. ` +
        `Set USP_SECRET_KEY to its value at the time of the backup, or set USP_BACKUP_PASSPHRASE. ${UNCHECKED}`,
    )
}

export const UNCHECKED = 'If you trust the file, restore it with --unchecked.'
