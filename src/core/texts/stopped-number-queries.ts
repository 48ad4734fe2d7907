import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

/**
 * The database stores only digests of the stopped phone numbers. They stay after the erasure of a person, so that the
 * server does not write to this person again.
 */
const digestOf = (number: string): string => hash('sha256', number, 'base64url')

export async function isNumberStopped(db: Database, number: string): Promise<boolean> {
  const { rows } = await sql`select from stopped_numbers where digest = ${digestOf(number)}`.execute(db)
  return rows.length > 0
}

/** Records that a phone number must get no text messages. */
export async function numberStop(db: Database, number: string, now: Date): Promise<void> {
  await sql`insert into stopped_numbers values (${digestOf(number)}, ${now}) on conflict do nothing`.execute(db)
}

/** Allows text messages to a phone number again. Returns false if they were not stopped. */
export async function numberRestore(db: Database, number: string): Promise<boolean> {
  const { rows } = await sql`delete from stopped_numbers where digest = ${digestOf(number)} returning digest`.execute(
    db,
  )
  return rows.length > 0
}
