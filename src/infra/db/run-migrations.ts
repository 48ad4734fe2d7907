import { setTimeout as pass } from 'node:timers/promises'
import type pg from 'pg'
import { PlainError } from '../util/command-line-error.ts'
import { failureOf } from './database-failures.ts'
import { openClient } from './find-database-host.ts'
import {
  LIST_OF_MIGRATIONS,
  markAsRun,
  migrationFiles,
  newerFault,
  type Ran,
  readMigration,
  refuseChanged,
} from './migration-files.ts'
import { STATEMENT_DEADLINE_MS } from './statement-watchdog.ts'

/**
 * The number of a PostgreSQL advisory lock. If several servers start together, this lock makes them run the migrations
 * one after the other.
 */
const LOCK = 4_715_201

/**
 * Maximum time to wait for locks, in milliseconds. It applies once to the lock that lets only one server migrate, and
 * once to all other locks of one migration together.
 */
const LOCK_DEADLINE_MS = 60_000
/**
 * How long a migration waits for one lock, in milliseconds. Other requests for the same lock must wait behind the
 * migration. Therefore the migration gives up after this time, lets the other requests continue, and tries again.
 */
const LOCK_WAIT_MS = 1_000

/** Migrates the database to the newest schema. Returns the names of the migrations that this call ran. */
export async function migrate(url: string, patience = LOCK_DEADLINE_MS): Promise<string[]> {
  const client = await openClient(url)
  const news: string[] = []
  try {
    for (let name = await runNext(client, patience); name !== undefined; name = await runNext(client, patience))
      news.push(name)
    return news
  } finally {
    await client.end()
  }
}

/**
 * Returns the migrations that `migrate` would run, without running them. Throws an error if `migrate` would refuse this
 * database.
 */
export async function findPendingMigrations(url: string): Promise<readonly string[]> {
  const client = await openClient(url)
  try {
    const { rows } = await queryWithDeadline<{ exists: boolean }>(
      client,
      "select to_regclass('migrations') is not null as exists",
    )
    const names = rows[0]?.exists ? await historyOf(client) : []
    return migrationFiles.filter((name) => !names.includes(name))
  } finally {
    await client.end()
  }
}

async function runNext(client: pg.Client, patience: number): Promise<string | undefined> {
  const until = performance.now() + patience
  for (;;) {
    const { name, error } = await tryNext(client, patience)
    if (error === undefined) return name
    if (name === undefined || failureOf(error) !== 'busy' || performance.now() > until) throw explained(error, name)
    await pass(LOCK_WAIT_MS)
  }
}

/** Runs the first migration that has not run yet, in its own transaction. */
async function tryNext(client: pg.Client, patience: number): Promise<{ name?: string; error?: unknown }> {
  let name: string | undefined
  try {
    // All settings and locks must end with the transaction. Otherwise, the next client of a pooler would get the
    // settings and locks of this connection.
    await queryWithDeadline(
      client,
      `begin; set local lock_timeout = ${patience}; set local idle_in_transaction_session_timeout = '15s'; set local statement_timeout = 0`,
    )
    await queryWithDeadline(client, `select pg_advisory_xact_lock(${LOCK})`, patience + STATEMENT_DEADLINE_MS)
    await queryWithDeadline(client, LIST_OF_MIGRATIONS)
    const names = await historyOf(client)
    name = migrationFiles.find((file) => !names.includes(file))
    if (name !== undefined) {
      await queryWithDeadline(client, `set local lock_timeout = ${LOCK_WAIT_MS}`)
      await client.query(readMigration(name)) // A migration can take any time, so it has no deadline.
      await markAsRun(client, name)
    }
    await client.query('commit')
    return { ...(name !== undefined && { name }) }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    return { ...(name !== undefined && { name }), error }
  }
}

/**
 * Returns the names of the migrations that have run on the database. Throws an error if this program version cannot run
 * its own migrations after them.
 */
async function historyOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await queryWithDeadline<Ran>(client, 'select name, sha256, needs from migrations order by name')
  refuseChanged(rows)
  const fault = newerFault(rows)
  if (fault !== undefined) throw new PlainError(fault)
  return rows.map(({ name }) => name)
}

/**
 * Runs a database statement, and ends the connection if no answer arrives in time. A server could otherwise wait
 * forever at its start, without a message.
 */
async function queryWithDeadline<R extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  within = STATEMENT_DEADLINE_MS,
) {
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
      `${name === undefined ? 'Another server is migrating this database' : `Migration ${name} waits for locks of other processes`} and did not end in time. Find the process in pg_locks, and start again.`,
    )
  if (name === undefined || failure === 'unreachable') return error
  return new PlainError(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`)
}
