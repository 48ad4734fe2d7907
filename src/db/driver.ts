import type { Driver, TransactionSettings } from 'kysely'
import pg from 'pg'
import { ChangeTurns } from './change-turns.ts'
import { Connection } from './connection.ts'

/** Of every connection of ours: how long, in milliseconds, making it may take, and how soon one is noticed that is dead. */
export const connectionOptions = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

interface Settings {
  url: string
  connections: number
  onError(error: Error): void
  /** Throws when there is to be no change. */
  mayBegin(): void
  /** What is connected stays so: the next name might not be resolved. Otherwise for a second. */
  keepIdle: boolean
}

/** Our connections to PostgreSQL. */
export class PostgresConnections implements Driver {
  readonly turns: ChangeTurns
  readonly #pool: pg.Pool
  readonly #mayBegin: () => void
  readonly #made = new Map<pg.ClientBase, Connection>()
  readonly #lent = new Map<Connection, pg.PoolClient>()

  constructor({ url, connections, onError, mayBegin, keepIdle }: Settings) {
    this.turns = new ChangeTurns(connections)
    this.#mayBegin = mayBegin
    this.#pool = new pg.Pool({
      ...connectionOptions,
      connectionString: url,
      max: connections,
      idleTimeoutMillis: keepIdle ? 0 : 1_000,
      application_name: 'usp-server',
      onConnect: async (client) => {
        if (client instanceof pg.Client) this.#made.set(client, await Connection.over(client, () => this.#endIdle()))
      },
    })
    // An idle connection that breaks is replaced by the next query; unheard, it would end the process.
    this.#pool.on('connect', (client) => client.on('error', onError))
    this.#pool.on('error', () => {})
    this.#pool.on('remove', (client) => this.#made.delete(client))
  }

  async init() {}

  async acquireConnection(): Promise<Connection> {
    const client = await this.#pool.connect()
    const connection = this.#made.get(client)
    if (!connection) throw new Error('A connection was lent before it was introduced.')
    this.#lent.set(connection, client)
    return connection
  }

  async releaseConnection(connection: Connection): Promise<void> {
    const client = this.#lent.get(connection)
    this.#lent.delete(connection)
    client?.release(connection.isSpent)
  }

  /** How many connections there are and may be, and who waits for one. */
  get occupancy() {
    const { totalCount: open, idleCount: idle, waitingCount } = this.#pool
    return { open, idle, most: this.#pool.options.max, waiting: waitingCount + this.turns.waiting }
  }

  /** Throws when there is to be no change. */
  mayBegin(): void {
    this.#mayBegin()
  }

  async beginTransaction(connection: Connection, { isolationLevel, accessMode }: TransactionSettings) {
    this.#mayBegin()
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    await connection.begin(`${level}${accessMode ? ` ${accessMode}` : ''}`)
  }

  commitTransaction = (connection: Connection) => connection.commit()

  rollbackTransaction = (connection: Connection) => connection.rollback()

  async destroy() {
    await this.#pool.end()
  }

  /** What is silent on one connection may be so on all: those that wait for work are made anew. */
  #endIdle() {
    const lent = new Set<pg.ClientBase>(this.#lent.values())
    for (const client of this.#made.keys())
      if (!lent.has(client)) client.emit('error', new Error('Connection terminated: another got no answer'))
  }
}
