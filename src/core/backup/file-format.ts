import { createHmac, timingSafeEqual } from 'node:crypto'
import { PlainError } from '../../infra/util/terminal-error.ts'
import { canonical } from '../../protocol/parse-json-safely.ts'
import { deriveKey } from '../keys/encrypt-secrets.ts'

/**
 * The format of a backup file: gzip, with parts that each end with a NUL byte. The first part (head) describes the
 * backup. Each table has one part with the table's name and columns, and one part with the rows in COPY format. The
 * last part (tail) has counts and checksums.
 */

export const FORMAT = 'usp-server backup 1'

export interface Head {
  format: typeof FORMAT
  taken_at: string
  /** The names and checksums of the migrations that the database had run when the backup was written. */
  migrations: { name: string; sha256: string }[]
  /** The secret key of the server in base64, encrypted with the passphrase of the backup. */
  secret?: string
}

export interface Section {
  table: string
  columns: string[]
}

export interface Tail {
  rows: Record<string, number>
  sequences: Record<string, string>
  /** The number of uncompressed bytes before the last part of the backup. `sha256` is the digest of these bytes. */
  bytes: number
  sha256: string
  /**
   * A code that proves that a server with the same secret key wrote the backup. The server computes the code from the
   * last part of the backup and the secret key. Backups of older versions have no code.
   */
  mac?: string
}

/** The byte that ends each part of a backup. No text in PostgreSQL contains this byte. */
export const NUL = Buffer.of(0)

export const encodedPart = (part: Head | Section | Tail) => Buffer.concat([Buffer.from(JSON.stringify(part)), NUL])

export const copyClause = ({ table, columns }: Section) =>
  `copy public."${table}" (${columns.map((column) => `"${column}"`).join(', ')})`

/**
 * Computes the authentication code of a backup from its last part. The code protects the whole backup, because this
 * part contains the digest of all bytes before it.
 */
export const tailMac = (secretKey: string, tail: Omit<Tail, 'mac'>): string =>
  createHmac('sha256', deriveKey(secretKey, 'backup')).update(canonical(tail)).digest('hex')

/** Refuses a backup that was changed, or that no server with one of these secret keys wrote. */
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
