import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { PlainError } from '../plain-error.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** Held while migrating, so that replicas that start together take turns. */
const LOCK = 4_715_201

/** Brings the database to the newest schema and returns the names of the files it ran. */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // Whoever waits for a statement hears of it.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, ran_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migrations')
    const ran = new Map(rows.map((row) => [row.name, row.sha256]))
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
    refuseForeignHistory(ran, files)
    const news = files.filter((name) => !ran.has(name))
    for (const name of news) await run(client, name)
    return news
  } finally {
    await client.end()
  }
}

async function run(client: pg.Client, name: string) {
  const sql = read(name)
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, digest(sql)])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new PlainError(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`)
  }
}

/** A file that changed after it ran, or ran from newer code, would leave a schema that no file describes. */
function refuseForeignHistory(ran: Map<string, string>, files: string[]) {
  for (const [name, sha256] of ran) {
    if (!files.includes(name))
      throw new PlainError(`This database was migrated by a newer version (${name}). Start that version instead.`)
    if (digest(read(name)) !== sha256)
      throw new PlainError(`Migration ${name} was changed after it ran here. Restore the file and add a new one.`)
  }
}

const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const digest = (text: string) => hash('sha256', text, 'hex')
