import { hash } from 'node:crypto'
import { AbortedTransactionError, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type pg from 'pg'
import { tracedDetail } from '../telemetry/tracing.ts'
import { memoize } from '../util/memoize.ts'
import { randomBytes } from '../util/random-bytes.ts'
import { failureOf, isDiskFull, NotReplicatedError } from './database-failures.ts'
import { migrationFiles } from './migration-files.ts'
import { isAllowingLong, isPrepared } from './prepared-statements.ts'
import { abandonUnresponsive, type FindActiveProcesses, STATEMENT_DEADLINE_MS } from './statement-watchdog.ts'

/**
 * How long a statement may wait for a lock, in milliseconds. PostgreSQL enforces this limit and the limits below.
 * Therefore a server that hangs cannot keep its locks, and a dead machine cannot keep its connections.
 */
export const LOCK_TIMEOUT_MS = 5_000
export const LOCK_TIMEOUT = `${LOCK_TIMEOUT_MS}ms`
const limits = { statement_timeout: '15s', lock_timeout: LOCK_TIMEOUT, idle_in_transaction_session_timeout: '12s' }
const keepalive = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '2' }
const BEGIN_LIMITED = Object.entries(limits).map(([name, value]) => `set local ${name} = '${value}'`)

interface ConnectionHooks {
  findActiveProcesses?: FindActiveProcesses
  onUnresponsive?(): void
  /** The connection calls this function when a statement fails because the database disk is full. */
  onDiskFull?(): void
  /**
   * Whether the connection is only for reads. It may then lead to a database that refuses changes, such as a standby.
   */
  isForReading?: boolean
}

/**
 * The name of the PostgreSQL function that waits at a commit until the standby databases have the change. If this wait
 * ends early, PostgreSQL sends a warning from this function.
 */
const WAITS_FOR_STANDBYS = 'SyncRepWaitForLSN'

/** A connection to PostgreSQL, or to a connection pooler in front of PostgreSQL. */
export class Connection implements DatabaseConnection {
  readonly #client: pg.Client
  readonly #surroundings: ConnectionHooks
  #isDirect = false
  /**
   * Whether the connection pooler supports prepared statements. Behind a pooler without this support, the server uses
   * no prepared statements.
   */
  #isPoolerPreparing = false
  #isAheadOfStandbys = false
  #isWritable = true
  /** How many milliseconds the server waits for an answer before it treats a statement as lost. */
  #patience = STATEMENT_DEADLINE_MS
  /**
   * Whether the pool must close this connection after use, because the database refused a change or a rollback failed.
   * A new connection can reach the primary database.
   */
  mustDiscard = false

  private constructor(client: pg.Client, surroundings: ConnectionHooks) {
    this.#client = client
    this.#surroundings = surroundings
    client.on('notice', ({ routine }) => (this.#isAheadOfStandbys ||= routine === WAITS_FOR_STANDBYS))
  }

  static async configure(client: pg.Client, surroundings: ConnectionHooks = {}): Promise<Connection> {
    const connection = new Connection(client, surroundings)
    await connection.#configure()
    return connection
  }

  /**
   * Whether the database accepts changes. False if the database was read-only at the start of the connection, or
   * refused a change later.
   */
  get isWritable(): boolean {
    return this.#isWritable
  }

  /**
   * Whether the connection leads directly to PostgreSQL. After each transaction, a pooler gives its connection to
   * another client. This client would then get the session settings and notifications.
   */
  get isDirect(): boolean {
    return this.#isDirect
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#ask(query)
    const hasChanged = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
    return { rows, ...(hasChanged && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  #ask(query: CompiledQuery): Promise<pg.QueryResult> {
    if (isAllowingLong(query)) this.#patience = Number.POSITIVE_INFINITY
    const statement = { text: query.sql, values: [...query.parameters] }
    if (!isPrepared(query) || !(this.#isDirect || this.#isPoolerPreparing)) return this.#send(statement)
    // A pooler prepares each statement text only once. After a migration changes a column, PostgreSQL refuses the old
    // prepared statement. Therefore the text contains the name of the last migration, and the pooler prepares the
    // statement again.
    const text = this.#isDirect ? query.sql : `${query.sql} /* ${migrationFiles.at(-1)} */`
    return this.#send({ ...statement, name: statementNameOf(query.sql), text })
  }

  async begin(mode = ''): Promise<void> {
    const begin = `begin${mode}`
    // Behind a pooler, each transaction can run on a different connection. Therefore each transaction sets the time
    // limits again.
    await this.#send({ text: this.#isDirect ? begin : [begin, ...BEGIN_LIMITED].join(';') })
  }

  async commit(): Promise<void> {
    this.#patience = STATEMENT_DEADLINE_MS
    const { command } = await this.#send({ text: 'commit' })
    if (command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  /**
   * Rolls back the transaction. If the rollback fails, the pool closes the connection, and PostgreSQL then rolls back.
   * The server ignores the error of the rollback, because the caller already has the first error.
   */
  async rollback(): Promise<void> {
    this.#patience = STATEMENT_DEADLINE_MS
    await this.#send({ text: 'rollback' }).catch(() => {
      this.mustDiscard = true
    })
  }

  // biome-ignore lint/correctness/useYield: the method only throws, because no caller streams rows.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming of rows is not supported.')
  }

  /**
   * Sets the time limits of a new connection. Finds out whether there is a pooler, and whether the pooler supports
   * prepared statements.
   */
  async #configure(): Promise<void> {
    const settings = Object.entries({ ...limits, ...keepalive }).map(
      ([name, value]) => `set_config('${name}', '${value}', false)`,
    )
    const isOurs = 'pg_backend_pid() = $1::integer'
    const closed = `current_setting('transaction_read_only') = 'on' as closed`
    const name = `kept_probe_${randomBytes(9).toString('base64url')}`
    const renamed = `exists (select from pg_prepared_statements where strpos(statement, '${name}') > 0 and name <> '${name}') as renamed`
    const text = `select ${isOurs} as direct, ${closed}, ${renamed}, case when ${isOurs} then array[${settings}] end`
    // At the start of a connection, PostgreSQL sends the id of its process, but a pooler sends an invented number. The
    // query therefore compares this number with the real process id.
    const processId = 'processID' in this.#client ? this.#client.processID : undefined
    const { rows } = await this.#send({ name, text, values: [processId] })
    if (rows[0]?.closed === true) this.#refusesChanges()
    this.#isDirect = rows[0]?.direct === true
    // Finds out whether the pooler supports prepared statements: such a pooler changes their names. Behind any other
    // pooler, the server prepares no statement, because its next transaction can run on a different connection.
    this.#isPoolerPreparing = !this.#isDirect && rows[0]?.renamed === true
  }

  #send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    return tracedStatement(statement, () => this.#exchange(statement))
  }

  async #exchange(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const giveUp = () => {
      void this.#client.end()
      this.#surroundings.onUnresponsive?.()
    }
    const { findActiveProcesses } = this.#surroundings
    const answered = abandonUnresponsive(giveUp, {
      within: this.#patience,
      findActiveProcesses: findActiveProcesses,
      processId: this.#processId,
    })
    try {
      const result = await this.#client.query(statement)
      if (this.#isAheadOfStandbys) throw this.#failUnreplicated()
      return result
    } catch (error) {
      if (failureOf(error) === 'read only') this.#refusesChanges()
      if (isDiskFull(error)) this.#surroundings.onDiskFull?.()
      throw error
    } finally {
      answered()
    }
  }

  #refusesChanges() {
    this.#isWritable = false
    this.mustDiscard ||= !this.#surroundings.isForReading
  }

  /**
   * Creates the error for a commit that perhaps exists only on the primary database. If a standby replaces the primary,
   * this commit can be lost. Therefore the server must not report success.
   */
  #failUnreplicated(): Error {
    this.#isAheadOfStandbys = false
    return new NotReplicatedError('A change was committed here, but perhaps on no standby.')
  }

  get #processId(): number | undefined {
    return this.#isDirect && 'processID' in this.#client ? Number(this.#client.processID) : undefined
  }
}

const tracedStatement = ({ text }: { text: string }, work: () => Promise<pg.QueryResult>) =>
  tracedDetail(() => spanOf(text), work)

/**
 * Names a tracing span by the verb and the first table of an SQL statement, such as `select bookings`. The full
 * statement would be too long, and it can contain personal data.
 */
const spanOf = memoize(2_000, (text: string) => {
  const [, verb = 'statement'] = /^\s*(\w+)/.exec(text) ?? []
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text) ?? []
  const summary = table === undefined ? verb.toLowerCase() : `${verb.toLowerCase()} ${table}`
  return {
    name: summary,
    kind: 'client' as const,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
  }
})

/**
 * Returns the name of a prepared statement: a digest of its SQL text. Processes that share a pooler therefore never use
 * one name for two different statements.
 */
const statementNameOf = memoize(2_000, (text: string) => `kept_${hash('sha256', text, 'base64url')}`)
