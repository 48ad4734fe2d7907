import { CompiledQuery, type ConnectionProvider, type DatabaseConnection, type Insertable, Transaction } from 'kysely'
import { type Connection, LOCK_TIMEOUT_MS } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { OpenDatabase } from './database.ts'
import { type NewMail, noOutbox, type Outbox } from './mail-outbox.ts'
import { type DatabaseRequirement, MailMerger, PendingStatements } from './pending-statements.ts'
import type { DB } from './schema.generated.ts'

type Table = keyof DB & string

/**
 * A unit of work: all its writes take effect, or none does. It gathers inserts and conditions, and sends them together
 * before the next query or at commit. If one statement is the whole unit of work, it needs no transaction block.
 */
export class UnitOfWork extends Transaction<DB> {
  readonly #session: UnitOfWorkConnection
  readonly #outbox: Outbox
  readonly #together = new MailMerger()
  /**
   * The host of the signing agent (such as an AI assistant) that caused the unit of work, if known. The audit log names
   * this host.
   */
  agent: string | undefined

  constructor({ driver, props }: OpenDatabase, outbox: Outbox = noOutbox) {
    const session = new UnitOfWorkConnection(driver)
    super({ ...props, executor: props.executor.withConnectionProvider(session) })
    this.#session = session
    this.#outbox = outbox
  }

  /** Inserts a row. The unit of work sends the insert before its next query, or at commit. */
  insert<T extends Table>(table: T, row: Insertable<DB[T]>): void {
    this.#session.pending.insert(table, row)
  }

  /** Inserts a row at commit. No other statement of the unit of work may read the row or refer to it. */
  insertAtCommit<T extends Table>(table: T, row: Insertable<DB[T]>): void {
    this.#session.pending.insertAtCommit(table, row)
  }

  /**
   * Queues a notification, which the server sends after the commit. Returns false if there is no channel or recipient.
   */
  queueMail(mail: NewMail, now: Date): boolean {
    const rows = this.#outbox(mail, now)
    if (mail.mergeWith) return this.#together.add(mail, rows, mail.mergeWith)
    for (const row of rows) this.insertAtCommit('mails', row)
    return rows.length > 0
  }

  /**
   * Sends all gathered inserts now. Code that reads all rows of the unit of work must call this first, to see also the
   * rows of `insertAtCommit`.
   */
  flush(): Promise<void> {
    return this.#session.flush()
  }

  /**
   * Adds a condition, which a database function checks. If the condition does not hold, the whole unit of work fails.
   */
  require(demand: DatabaseRequirement): void {
    this.#session.pending.require(demand)
  }

  /**
   * Records that the unit of work released time or places. At its end, the server offers the released time or places to
   * the waitlist.
   */
  markReleased(): void {
    this.#session.hasReleased = true
  }

  get hasReleased(): boolean {
    return this.#session.hasReleased
  }

  /**
   * Waits for permission to run, if many units of work compete for one lock, such as the lock of a waitlist. The caller
   * must call this method before its first query. After that, the unit of work already has a connection, and the method
   * does nothing.
   */
  waitForSlot(thing: string): Promise<void> {
    return this.#session.waitForSlot(thing)
  }

  /** Runs work in a savepoint. If the work fails, the database undoes its writes, and the unit of work can continue. */
  attempt<T>(work: () => Promise<T>): Promise<T> {
    return this.#together.discardOnFailure(() => this.#session.attempt(work))
  }

  commit = (): Promise<void> => {
    for (const row of this.#together.rows()) this.insertAtCommit('mails', row)
    return this.#session.commit()
  }

  rollback = (): Promise<void> => this.#session.rollback()

  releaseSlots = (): void => this.#session.releaseSlots()
}

/** The database connection of this unit of work. The unit of work gets it from the pool at its first statement. */
class UnitOfWorkConnection implements ConnectionProvider {
  pending = new PendingStatements()
  hasReleased = false
  readonly #driver: ConnectionPool
  #begun: Promise<Connection> | undefined
  /**
   * Functions that release the transaction slots (permissions to run) of this unit of work. The key is the name of the
   * slot.
   */
  readonly #turns = new Map<string, () => void>()
  readonly #patientUntil = performance.now() + LOCK_TIMEOUT_MS

  constructor(driver: ConnectionPool) {
    this.#driver = driver
  }

  /**
   * Provides the database connection for a query. If the query can depend on the gathered inserts, sends these inserts
   * first.
   */
  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const connection = await this.#begin()
    if (this.pending.mustPrecedeQuery) await this.#send(connection)
    return consumer(connection)
  }

  async flush(): Promise<void> {
    await this.#send(await this.#begin())
  }

  async waitForSlot(thing: string): Promise<void> {
    if (this.#begun || this.#turns.has(thing)) return
    this.#turns.set(thing, await this.#driver.slots.acquireFor(thing, this.#patience))
  }

  releaseSlots(): void {
    for (const end of this.#turns.values()) end()
    this.#turns.clear()
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const connection = await this.#begin()
    await this.#send(connection)
    await connection.executeQuery(CompiledQuery.raw('savepoint attempt'))
    try {
      const result = await work()
      await this.#send(connection)
      return result
    } catch (error) {
      this.pending = new PendingStatements()
      await connection.executeQuery(CompiledQuery.raw('rollback to savepoint attempt'))
      throw error
    }
  }

  async commit(): Promise<void> {
    if (!this.#begun && this.pending.isEmpty) return
    if (!this.#begun && this.pending.isSingleStatement) return this.#sendAlone()
    const connection = await this.#begin()
    await this.#send(connection)
    await this.#driver.commitTransaction(connection)
    await this.#end(connection)
  }

  async rollback(): Promise<void> {
    const connection = await this.#begun?.catch(() => undefined)
    if (!connection) return
    // This error is ignored, because the database rolls back anyway when the connection ends. The caller already has
    // the first error.
    await this.#driver.rollbackTransaction(connection).catch(() => {})
    await this.#end(connection)
  }

  async #sendAlone(): Promise<void> {
    this.#driver.assertChangesAllowed()
    const connection = await this.#connect()
    try {
      await this.#send(connection)
    } finally {
      await this.#driver.releaseConnection(connection)
    }
  }

  #begin(): Promise<Connection> {
    this.#begun ??= this.#open()
    return this.#begun
  }

  get #patience(): number {
    return Math.max(0, this.#patientUntil - performance.now())
  }

  async #connect(): Promise<Connection> {
    this.#turns.set('', await this.#driver.slots.acquire(this.#patience))
    return this.#driver.acquireWithin(this.#patience)
  }

  async #open(): Promise<Connection> {
    const connection = await this.#connect()
    try {
      await this.#driver.beginTransaction(connection, {})
      return connection
    } catch (error) {
      await this.#driver.releaseConnection(connection)
      throw error
    }
  }

  async #end(connection: Connection): Promise<void> {
    this.#begun = undefined
    await this.#driver.releaseConnection(connection)
  }

  async #send(connection: Connection): Promise<void> {
    if (this.pending.isEmpty) return
    const { pending: gathered } = this
    this.pending = new PendingStatements()
    await gathered.send(connection)
  }
}

export type RunUnitOfWork = <T>(work: (change: UnitOfWork) => Promise<T>) => Promise<T>
