import { CompiledQuery, type ConnectionProvider, type DatabaseConnection, type Insertable, Transaction } from 'kysely'
import { newId } from '../util/random-bytes.ts'
import { type Connection, LOCK_TIMEOUT_MS } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { OpenDatabase } from './database.ts'
import { type DatabaseRequirement, MailMerger, PendingStatements } from './pending-statements.ts'
import { type NewMail, noOutbox, type Outbox } from './queued-mail-types.ts'
import type { DB } from './schema.generated.ts'

type Table = keyof DB & string

/**
 * A unit of work (a group of writes): all its writes take effect together, or none of them. It collects inserts and
 * conditions, and sends them before the next query or at commit. A unit of work with only one statement needs no
 * transaction block.
 */
export class UnitOfWork extends Transaction<DB> {
  readonly #session: UnitOfWorkConnection
  readonly #outbox: Outbox
  readonly #together = new MailMerger()
  /**
   * The host name of the program (such as an AI assistant) that signed the request for this change, if known. The audit
   * log names this host.
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
   * Queues a notification, which the server sends after the commit. Returns false if the notification has no recipient
   * or no channel, such as email.
   */
  queueMail(mail: NewMail, now: Date): boolean {
    const rows = this.#outbox.mailRows(mail, now)
    if (mail.to === 'staff' && this.#outbox.isPushed) this.insertAtCommit('staff_news', newsOf(mail, now))
    if (mail.mergeWith) return this.#together.add(mail, rows, mail.mergeWith)
    for (const row of rows) this.insertAtCommit('mails', row)
    return rows.length > 0
  }

  /**
   * Sends all collected inserts to the database now. Code that must also see the rows of `insertAtCommit` calls this
   * method before it reads.
   */
  flush(): Promise<void> {
    return this.#session.flush()
  }

  /** Adds a condition, which a database function checks. If the condition is false, the whole unit of work fails. */
  require(demand: DatabaseRequirement): void {
    this.#session.pending.require(demand)
  }

  /**
   * Records that the unit of work released time or seats. At its end, the server offers them to the buyers on the
   * waitlist.
   */
  markReleased(): void {
    this.#session.hasReleased = true
  }

  get hasReleased(): boolean {
    return this.#session.hasReleased
  }

  /**
   * Waits for permission to run if many units of work compete for one lock, such as the lock of a waitlist. The caller
   * must call this method before its first query. After this query, the method has no effect, because the unit of work
   * already has a connection.
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

/** The row that causes push notifications to the staff. It contains no personal data. */
const newsOf = ({ kind, subject }: NewMail, at: Date) => ({ id: newId('news'), kind, subject, at })

/**
 * The database connection of one unit of work. The unit of work takes this connection from the pool at its first
 * statement.
 */
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
   * Provides the database connection for a query. If the query can depend on the collected inserts, sends these inserts
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
    // The server ignores an error of the rollback, because the database rolls back anyway when the connection ends. The
    // caller already has the first error.
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
