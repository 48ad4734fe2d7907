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
