import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { prepareConnection, readOnly } from './connection.ts'
import type { DB } from './schema.generated.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

/** Of every connection of ours: how long, in milliseconds, making it may take, and how soon one is noticed that is dead. */
export const patience = { connectionTimeoutMillis: 5_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

export function openDatabase(
  url: string,
  connections: number,
  onError: (error: Error) => void,
  { mayBegin = () => {}, keepIdle = true }: { mayBegin?: () => void; keepIdle?: boolean } = {},
): Database {
  const idle = new Set<pg.PoolClient>()
  // What is silent on one connection may be so on all: those that wait for work are made anew.
  const onSilence = () => {
    for (const client of idle) client.emit('error', new Error('Connection terminated: another got no answer'))
  }
  const pool = new pg.Pool({
    ...patience,
    connectionString: url,
    max: connections,
    // What is connected stays so: the next name might not be resolved.
    idleTimeoutMillis: keepIdle ? 0 : 10_000,
    application_name: 'usp-server',
    onConnect: (client) =>
      client instanceof pg.Client ? prepareConnection(client, { mayBegin, onSilence }) : undefined,
  })
  // An idle connection that breaks is replaced by the next query; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  pool.on('error', () => {})
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('release', (_, client) => {
    idle.add(client)
    if (readOnly.has(client)) client.end().catch(() => {})
  })
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}
