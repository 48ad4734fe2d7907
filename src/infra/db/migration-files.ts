import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { PlainError, USP } from '../util/command-line-error.ts'

const folder = new URL('../../../migrations/', import.meta.url)

export const migrationFiles = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()

/**
 * A database migration that has run. `needs` can name another migration. Only server versions that know that migration
 * can use the new schema.
 */
export interface Ran {
  name: string
  sha256: string
  needs: string | null
}

export const LIST_OF_MIGRATIONS =
  'create table if not exists migrations (name text primary key, sha256 text not null, ran_at timestamptz not null default now(), needs text)'

export const readMigration = (name: string) => readFileSync(new URL(name, folder), 'utf8')
export const digest = (text: string) => hash('sha256', text, 'hex')

/**
 * Reads the first line of a migration file: `-- expand` or `-- contract: NAME`. Returns NAME or null. Server versions
 * that do not know the migration NAME cannot use the new schema.
 */
export function needsOf(text: string): string | null {
  return /^-- contract: (\S+)\n/.exec(text)?.[1] ?? null
}

export async function markAsRun(client: pg.Client, name: string): Promise<void> {
  const text = readMigration(name)
  const row = [name, digest(text), needsOf(text)]
  await client.query('insert into migrations (name, sha256, needs) values ($1, $2, $3)', row)
}

/**
 * Throws an error if a migration file was changed after the migration ran. Otherwise, the files would not describe the
 * real schema of the database.
 */
export function refuseChanged(ran: readonly Pick<Ran, 'name' | 'sha256'>[]): void {
  for (const { name, sha256 } of ran)
    if (migrationFiles.includes(name) && digest(readMigration(name)) !== sha256)
      throw new PlainError(`Migration ${name} was changed after it ran here. Restore the file and add a new one.`)
}

/**
 * Explains why this program version cannot use a database after these migrations. Returns undefined if it can use the
 * database.
 */
export function schemaFault(ran: readonly Pick<Ran, 'name' | 'needs'>[]): string | undefined {
  const newer = newerFault(ran)
  if (newer !== undefined) return newer
  if (ran.length === 0)
    return `This database has no schema yet. Restore a backup into it, start the server once, or run: ${USP} migrate`
  const missing = migrationFiles.find((name) => !ran.some((one) => one.name === name))
  if (missing !== undefined)
    return `This database has the schema of an older version (${missing} is missing). Run: ${USP} migrate`
}

/** Returns a message if a newer program version ran a migration that is incompatible with this version. */
export function newerFault(ran: readonly Pick<Ran, 'name' | 'needs'>[]): string | undefined {
  const barring = ran.find(
    ({ name, needs }) => !migrationFiles.includes(name) && needs !== null && !migrationFiles.includes(needs),
  )
  return barring && isNewer(barring.name)
}

/** Returns a message if the database can contain data that this program version does not know. */
export function unknownFault(ran: readonly Pick<Ran, 'name'>[]): string | undefined {
  const unknown = ran.find(({ name }) => !migrationFiles.includes(name))
  return (
    unknown &&
    `This database has a migration that this version does not know (${unknown.name}), and its data would be left out. Run this with the newer version.`
  )
}

const isNewer = (name: string) => `This database was migrated by a newer version (${name}). Start that version instead.`
