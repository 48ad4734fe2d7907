/*
 * A backup is gzip over parts, each ended by NUL: the head says what it is, then for each table come its name and columns
 * and its rows as COPY writes them, and the tail has the sums.
 */

export const FORMAT = 'usp-server backup 1'

export interface Head {
  format: typeof FORMAT
  taken_at: string
  /** What ran on the database, with what it ran as. */
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
  /** Bytes, unpacked, before this part, and their digest. */
  bytes: number
  sha256: string
  /** Over the rest of the tail, with the secret key. A backup of an older version has none. */
  mac?: string
}

/** No text in PostgreSQL has it. */
export const NUL = Buffer.of(0)

export const written = (part: Head | Section | Tail) => Buffer.concat([Buffer.from(JSON.stringify(part)), NUL])

export const copies = ({ table, columns }: Section) =>
  `copy public."${table}" (${columns.map((column) => `"${column}"`).join(', ')})`
