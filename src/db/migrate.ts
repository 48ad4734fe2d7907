import pg from 'pg'
import { PlainError } from '../basics/plain-error.ts'
import { connectionOptions as ofConnections } from './driver.ts'
import { failureOf } from './failures.ts'
import { digest, files, read, refuseForeignHistory } from './migrations.ts'

/** Held while migrating, so that replicas that start together take turns. */
const LOCK = 4_715_201

/** How long a migration waits for locks that others hold. */
const MIGRATION_LOCK_TIMEOUT = '60s'

/** Brings the database to the newest schema and returns the names of the files it ran. */
export async function migrate(url: string, lockTimeout = MIGRATION_LOCK_TIMEOUT): Promise<string[]> {
  const client = new pg.Client({ ...ofConnections, connectionString: url })
  client.on('error', () => {}) // What it was doing fails, and that is heard.
  await client.connect()
  const news: string[] = []
  try {
    for (let name = await runNext(client, lockTimeout); name !== undefined; name = await runNext(client, lockTimeout))
      news.push(name)
    return news
  } finally {
    await client.end()
  }
}

/** Runs the first file that has not run yet, if any, in a transaction of its own. */
async function runNext(client: pg.Client, lockTimeout: string): Promise<string | undefined> {
  let name: string | undefined
  try {
    // A pooler may keep for another what outlives the transaction: a lock, or a setting.
    await client.query(
      `begin; set local lock_timeout = '${lockTimeout}'; set local idle_in_transaction_session_timeout = '15s'`,
    )
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    name = await firstMissing(client)
    if (name !== undefined) {
      const sql = read(name)
      await client.query(sql)
      await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, digest(sql)])
    }
    await client.query('commit')
    return name
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw explained(error, name)
  }
}

async function firstMissing(client: pg.Client): Promise<string | undefined> {
  await client.query(
    'create table if not exists migrations (name text primary key, sha256 text not null, ran_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migrations')
  const ran = new Map(rows.map((row) => [row.name, row.sha256]))
  refuseForeignHistory(ran)
  return files.find((file) => !ran.has(file))
}

function explained(error: unknown, name: string | undefined): unknown {
  const failure = failureOf(error)
  if (failure === 'busy')
    return new PlainError(
      `${name === undefined ? 'Another server is migrating this database' : `Migration ${name} waits for others`} and did not end in time. Look at pg_locks for who it is, and start again.`,
    )
  if (name === undefined || failure === 'unreachable') return error
  return new PlainError(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`)
}
