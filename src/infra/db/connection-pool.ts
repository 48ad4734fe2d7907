import type { Driver, TransactionSettings } from 'kysely'
import pg from 'pg'
import { hostsOf } from '../net/parse-database-url.ts'
import { withTimeout } from '../util/with-timeout.ts'
import { Connection } from './connection.ts'
import { connectionOptions } from './connection-options.ts'
import type { PoolUsage } from './connection-pool-usage.ts'
import { failureOf, isDatabaseRunning, NoConnectionError, WrongHostRoleError } from './database-failures.ts'
import { HostLocator, refuseWrongRole } from './find-database-host.ts'
import { TransactionSlots } from './limit-concurrent-transactions.ts'
import { activeProcessFinder, type FindActiveProcesses } from './statement-watchdog.ts'

/** How long a query waits for a free or new connection, in milliseconds. */
const CONNECTION_WAIT_MS = 5_000
/** If the first attempt to connect fails within this many milliseconds, the pool tries a second time. */
const RETRY_DEADLINE_MS = 3_000

interface Settings {
  url: string
  name: string
  connections: number
  onError(error: Error): void
  assertChangesAllowed(): void
  /**
   * Whether unused database connections stay open, because opening a new connection can fail. If false, unused
   * connections close after a second.
   */
  keepIdle: boolean
  isForReading: boolean
}

export class ConnectionPool implements Driver {
  readonly slots: TransactionSlots
  /**
   * Whether the database disk is full. A failed statement sets this value to true. A later check that finds free space
   * sets it to false.
   */
  isDiskFull = false
  readonly #pool: pg.Pool
  readonly #mayBegin: () => void
  readonly #hostLocator: HostLocator
  readonly #askWhoWorks: FindActiveProcesses
  readonly #isForReading: boolean
  readonly #made = new Map<pg.ClientBase, Connection>()
  readonly #lent = new Map<Connection, pg.PoolClient>()

  constructor({ url, name, connections, onError, assertChangesAllowed, keepIdle, isForReading }: Settings) {
    this.slots = new TransactionSlots(connections)
    this.#mayBegin = assertChangesAllowed
    this.#isForReading = isForReading
    const hostLocator = new HostLocator(hostsOf(url))
    this.#hostLocator = hostLocator
    this.#askWhoWorks = activeProcessFinder(() => hostLocator.url)
    this.#pool = new pg.Pool({
      Client: class extends pg.Client {
        constructor() {
          const { url: connectionString } = hostLocator
          super({ ...connectionOptions, connectionString, application_name: name })
        }
      },
      connectionTimeoutMillis: CONNECTION_WAIT_MS,
      max: connections,
      idleTimeoutMillis: keepIdle ? 0 : 1_000,
      onConnect: (client) => this.#configure(client),
    })
    // Node.js ends the process if an error event has no listener. Therefore each connection has this listener for
    // broken connections. The next query opens a new connection.
    this.#pool.on('connect', (client) =>
      client.on('error', (error) => {
        hostLocator.markLost()
        onError(error)
      }),
    )
    this.#pool.on('error', () => {})
    this.#pool.on('remove', (client) => this.#made.delete(client))
  }

  async init() {}

  acquireConnection(): Promise<Connection> {
    return this.acquireWithin(CONNECTION_WAIT_MS)
  }

  async acquireWithin(patience: number): Promise<Connection> {
    const isAtHand = this.#hostLocator.isKnown && this.#pool.idleCount > 0
    const acquired = this.#acquire()
    if (isAtHand) return acquired
    try {
      return await withTimeout(
        acquired,
        patience,
        () => new NoConnectionError('No database connection was free in time.'),
      )
    } catch (error) {
      // The caller no longer waits for this connection. If the connection opens after the timeout, it goes back to the
      // pool.
      acquired.then(
        (connection) => this.releaseConnection(connection),
        () => {},
      )
      throw error
    }
  }

  async #acquire(): Promise<Connection> {
    await this.#hostLocator.waitUntilKnown()
    const client = await this.#connect()
    const connection = this.#made.get(client)
    if (!connection) throw new Error('A connection was used before it was configured.')
    this.#lent.set(connection, client)
    return connection
  }

  async releaseConnection(connection: Connection): Promise<void> {
    const client = this.#lent.get(connection)
    this.#lent.delete(connection)
    client?.release(connection.mustDiscard)
    if (connection.mustDiscard && this.#hostLocator.hosts.role !== 'any') this.dropIdle()
  }

  get usage(): PoolUsage {
    const { totalCount: open, idleCount: idle, waitingCount } = this.#pool
    return { open, idle, most: this.#pool.options.max, waiting: waitingCount + this.slots.waiting }
  }

  assertChangesAllowed(): void {
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

  /**
   * Opens a connection. If the database host is unreachable or has the wrong role, the pool searches for the right
   * host, and tries once more.
   */
  async #connect(): Promise<pg.PoolClient> {
    const began = performance.now()
    try {
      return await this.#pool.connect()
    } catch (error) {
      if (!isHostLost(error)) throw error
      this.#hostLocator.markLost()
      if (performance.now() - began > RETRY_DEADLINE_MS) throw error
      await this.#hostLocator.waitUntilKnown()
      return this.#pool.connect()
    }
  }

  async #configure(client: pg.ClientBase): Promise<void> {
    if (!(client instanceof pg.Client)) return
    const connection = await Connection.configure(client, {
      findActiveProcesses: this.#askWhoWorks,
      isForReading: this.#isForReading,
      onUnresponsive: () => this.dropIdle(),
      onDiskFull: () => {
        this.isDiskFull = true
      },
    })
    refuseWrongRole(this.#hostLocator.hosts.role, connection)
    this.#made.set(client, connection)
  }

  /**
   * Closes all unused database connections. After a fault of one connection, the other connections can be broken too.
   */
  dropIdle() {
    this.#hostLocator.markLost()
    const lent = new Set<pg.ClientBase>(this.#lent.values())
    for (const client of this.#made.keys())
      if (!lent.has(client)) client.emit('error', new Error('Connection terminated: the server looks for another host'))
  }
}

/**
 * Whether the error means that the database host is unavailable, so that the pool must search for the host again. False
 * if the host refuses more connections, or if all connections of the pool are in use.
 */
const isHostLost = (error: unknown): boolean =>
  error instanceof WrongHostRoleError ||
  (failureOf(error) === 'unreachable' && !isDatabaseRunning(error) && !isPoolExhausted(error))

const isPoolExhausted = (error: unknown) => error instanceof Error && error.message.startsWith('timeout exceeded')
