import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { PlainError } from '../basics/plain-error.ts'

const folder = new URL('../../migrations/', import.meta.url)

/** The names of all there are, in their order. */
export const files = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()

/** Where the names of those that ran are kept. */
export const LIST_OF_MIGRATIONS =
  'create table if not exists migrations (name text primary key, sha256 text not null, ran_at timestamptz not null default now())'

export const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
export const digest = (text: string) => hash('sha256', text, 'hex')

/** A file that changed after it ran, or ran from newer code, would leave a schema that no file describes. */
export function refuseForeignHistory(ran: ReadonlyMap<string, string>): void {
  for (const [name, sha256] of ran) {
    if (!files.includes(name)) throw new PlainError(isNewer(name))
    if (digest(read(name)) !== sha256)
      throw new PlainError(`Migration ${name} was changed after it ran here. Restore the file and add a new one.`)
  }
}

/** Why this version cannot work on a database where these ran, in a sentence for whoever runs it; nothing when it can. */
export function schemaFault(ran: readonly string[]): string | undefined {
  const newer = ran.find((name) => !files.includes(name))
  if (newer !== undefined) return isNewer(newer)
  if (ran.length === 0) return 'This database has no schema yet. Start the server once, or run: npm run usp -- migrate'
  const missing = files.find((name) => !ran.includes(name))
  if (missing !== undefined)
    return `This database has the schema of an older version (${missing} is missing). Run: npm run usp -- migrate`
}

const isNewer = (name: string) => `This database was migrated by a newer version (${name}). Start that version instead.`
