import { CompiledQuery, type ConnectionProvider, type DatabaseConnection, type Insertable, Transaction } from 'kysely'
import { type Connection, LOCK_TIMEOUT_MS } from './connection.ts'
import type { OpenDatabase } from './database.ts'
import type { PostgresConnections } from './driver.ts'
import { MailsTogether } from './mails-together.ts'
import { type NewMail, noOutbox, type Outbox } from './outbox.ts'
import { type Demand, PendingStatements } from './pending-statements.ts'
import type { DB } from './schema.generated.ts'

type Table = keyof DB & string

/**
 * One change of what the business has: everything in it takes effect, or nothing. What it inserts and demands is gathered
 * and sent in one statement, before whatever else it asks, or at its end. A change that is nothing but that statement
 * takes no more than it.
 */
export class Change extends Transaction<DB> {
  readonly #session: Session
  readonly #outbox: Outbox
  readonly #together = new MailsTogether()
  /** The host whose agent asked for it, where that is known: the journal names it. */
  agent: string | undefined

  constructor({ driver, props }: OpenDatabase, outbox: Outbox = noOutbox) {
    const session = new Session(driver)
    super({ ...props, executor: props.executor.withConnectionProvider(session) })
    this.#session = session
    this.#outbox = outbox
  }

  /** Enters a row. */
  enter<T extends Table>(table: T, row: Insertable<DB[T]>): void {
    this.#session.pending.enter(table, row)
  }

  /** Enters a row that nothing in this change reads or refers to: it may wait until the end, whatever else is asked. */
  note<T extends Table>(table: T, row: Insertable<DB[T]>): void {
    this.#session.pending.note(table, row)
  }

  /** Somebody is told of it once it has taken effect, where there is any way to: the answer says whether there is. */
  mail(mail: NewMail, now: Date): boolean {
    const rows = this.#outbox(mail, now)
    if (mail.together) return this.#together.add(mail, rows, mail.together)
    for (const row of rows) this.note('mails', row)
    return rows.length > 0
  }

  /** Sends what has gathered, for whoever looks for all that this change has written, what was noted too. */
  sendGathered(): Promise<void> {
    return this.#session.sendGathered()
  }

  /** What is refused ends the change. */
  demand(demand: Demand): void {
    this.#session.pending.demand(demand)
  }

  /** Time or places are given back: those who wait for them are asked at the end. */
  frees(): void {
    this.#session.hasFreed = true
  }

  get hasFreed(): boolean {
    return this.#session.hasFreed
  }

  /**
   * Comes for something that changes come for one after the other: for a waitlist, or a place in one class. Nothing may have
   * been asked before, or it is too late to wait without a connection, and nothing is done.
   */
  waitFor(thing: string): Promise<void> {
    return this.#session.waitFor(thing)
  }

  /** Work of which nothing stays when it fails, while the rest of the change goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T> {
    return this.#together.unlessFailed(() => this.#session.attempt(work))
  }

  commit = (): Promise<void> => {
    for (const row of this.#together.rows()) this.note('mails', row)
    return this.#session.commit()
  }

  rollback = (): Promise<void> => this.#session.rollback()

  /** Others have their turn, whatever came of it. */
  leave = (): void => this.#session.leave()
}

/** The connection of a change, from its first statement on. */
class Session implements ConnectionProvider {
  pending = new PendingStatements()
  hasFreed = false
  readonly #driver: PostgresConnections
  #begun: Promise<Connection> | undefined
  /** What ends its turns, by what they were taken for. */
  readonly #turns = new Map<string, () => void>()
  readonly #patientUntil = performance.now() + LOCK_TIMEOUT_MS

  constructor(driver: PostgresConnections) {
    this.#driver = driver
  }

  /** Whoever asks sees what was entered before. */
  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const connection = await this.#begin()
    if (this.pending.isAwaited) await this.#send(connection)
    return consumer(connection)
  }

  async sendGathered(): Promise<void> {
    await this.#send(await this.#begin())
  }

  async waitFor(thing: string): Promise<void> {
    if (this.#begun || this.#turns.has(thing)) return
    this.#turns.set(thing, await this.#driver.turns.takeAt(thing, this.#patience))
  }

  leave(): void {
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
    if (!this.#begun && this.pending.isOne) return this.#sendAlone()
    const connection = await this.#begin()
    await this.#send(connection)
    await this.#driver.commitTransaction(connection)
    await this.#end(connection)
  }

  async rollback(): Promise<void> {
    const connection = await this.#begun?.catch(() => undefined)
    if (!connection) return
    // What cannot be told so any more is given up by the database; and why the change failed is known already.
    await this.#driver.rollbackTransaction(connection).catch(() => {})
    await this.#end(connection)
  }

  /** A statement that is alone needs no other to begin or end it. */
  async #sendAlone(): Promise<void> {
    this.#driver.mayBegin()
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
    this.#turns.set('', await this.#driver.turns.take(this.#patience))
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

/** Makes a change of the work, by whichever door it came. */
export type MakeChange = <T>(work: (change: Change) => Promise<T>) => Promise<T>
