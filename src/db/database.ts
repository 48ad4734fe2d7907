import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { prepareConnection } from './connection.ts'
import type { DB } from './schema.generated.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

export function openDatabase(url: string, connections: number, onError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    application_name: 'usp-server',
  })
  // An idle connection that breaks is replaced by the next query; unheard, it would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError)
    prepareConnection(client)
  })
  pool.on('error', () => {})
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/** Whether the database gave up a transaction so that another could go on that waited for it in a circle. */
export const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '40P01'

/** Whether the database could not be reached, as against having refused the statement. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH)/.test(code) ||
    /^(08|53|57)/.test(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}
