import { createHmac, timingSafeEqual } from 'node:crypto'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { canonical } from '../../protocol/parse-json-safely.ts'
import { deriveKey } from '../keys/encrypt-secrets.ts'

/**
 * The format of a backup file: gzip, with parts that each end with a NUL byte. The first part (head) describes the
 * backup. Each table has two parts: its name and columns, and its rows in the COPY format of PostgreSQL. The last part
 * (tail) contains counts and checksums.
 */

export const FORMAT = 'usp-server backup 1'

export interface Head {
  format: typeof FORMAT
  taken_at: string
  /** The names and checksums of all database migrations that had run at the time of the backup. */
  migrations: { name: string; sha256: string }[]
  /** The server's secret key, encrypted with the passphrase of the backup and encoded in base64. */
  secret?: string
}

export interface Section {
  table: string
  columns: string[]
}

export interface Tail {
  rows: Record<string, number>
  sequences: Record<string, string>
  /**
   * The number of uncompressed bytes before the last part of the backup. The field `sha256` is the digest of these
   * bytes.
   */
  bytes: number
  sha256: string
  /**
   * An authentication code, computed from the last part of the backup and the server's secret key. The code proves that
   * a server with this key wrote the backup. Backups of older versions have no code.
   */
  mac?: string
}

/** The byte that ends each part of a backup. PostgreSQL texts never contain this byte. */
export const NUL = Buffer.of(0)

export const encodedPart = (part: Head | Section | Tail) => Buffer.concat([Buffer.from(JSON.stringify(part)), NUL])

export const copyClause = ({ table, columns }: Section) =>
  `copy public."${table}" (${columns.map((column) => `"${column}"`).join(', ')})`

/**
 * Computes the authentication code of a backup from the last part of the file. The last part contains the digest of all
 * earlier bytes, so the code protects the whole backup.
 */
export const tailMac = (secretKey: string, tail: Omit<Tail, 'mac'>): string =>
  createHmac('sha256', deriveKey(secretKey, 'backup')).update(canonical(tail)).digest('hex')

/** Throws an error if the backup was changed, or if no server with one of these secret keys wrote the backup. */
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
