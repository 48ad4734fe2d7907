import type pg from 'pg'
import { PlainError } from '../basics/plain-error.ts'
import { failureOf } from './failures.ts'
import { openClient } from './find-host.ts'
import { digest, files, LIST_OF_MIGRATIONS, read, refuseForeignHistory } from './migrations.ts'
import { DEAD } from './silence.ts'

/** Held while migrating, so that replicas that start together take turns. */
const LOCK = 4_715_201

/** How long, in milliseconds, a migration waits for locks that others hold. */
const MIGRATION_LOCK_TIMEOUT = 60_000

/** Brings the database to the newest schema and returns the names of the files it ran. */
export async function migrate(url: string, lockTimeout = MIGRATION_LOCK_TIMEOUT): Promise<string[]> {
  const client = await openClient(url)
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
async function runNext(client: pg.Client, lockTimeout: number): Promise<string | undefined> {
  let name: string | undefined
  try {
    // A pooler may keep for another what outlives the transaction: a lock, or a setting.
    await ask(
      client,
      `begin; set local lock_timeout = ${lockTimeout}; set local idle_in_transaction_session_timeout = '15s'`,
    )
    await ask(client, `select pg_advisory_xact_lock(${LOCK})`, lockTimeout + DEAD)
    name = await firstMissing(client)
    if (name !== undefined) {
      const sql = read(name)
      // As long as it takes.
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
  await ask(client, LIST_OF_MIGRATIONS)
  const { rows } = await ask<{ name: string; sha256: string }>(client, 'select name, sha256 from migrations')
  const ran = new Map(rows.map((row) => [row.name, row.sha256]))
  refuseForeignHistory(ran)
  return files.find((file) => !ran.has(file))
}

/** Ends a connection on which nothing is answered: whoever starts would else wait for ever, and never be told for what. */
async function ask<R extends pg.QueryResultRow>(client: pg.Client, text: string, within = DEAD) {
  const death = setTimeout(() => void client.end(), within)
  try {
    return await client.query<R>(text)
  } finally {
    clearTimeout(death)
  }
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
