import { hash } from 'node:crypto'
import { AbortedTransactionError, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type pg from 'pg'
import { tracedPart } from '../telemetry/tracing.ts'
import { randomBytes } from '../util/random-bytes.ts'
import { remember } from '../util/remember.ts'
import { failureOf, isDiskFull, NotReplicated } from './failures.ts'
import { KeptBehindPooler } from './kept-behind-pooler.ts'
import { isAllowingLong } from './long-statements.ts'
import { files } from './migrations.ts'
import { isPrepared } from './prepared.ts'
import { type AskWhoWorks, DEAD, giveUpInSilence } from './silence.ts'

/**
 * How long the database bears with a server: one that froze must not keep locks from all the others, nor one whose host is
 * gone a connection. Whoever waits for a lock that long gives up.
 */
export const LOCK_TIMEOUT_MS = 5_000
export const LOCK_TIMEOUT = `${LOCK_TIMEOUT_MS}ms`
const limits = { statement_timeout: '15s', lock_timeout: LOCK_TIMEOUT, idle_in_transaction_session_timeout: '12s' }
const keepalive = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '2' }
const BEGIN_LIMITED = Object.entries(limits).map(([name, value]) => `set local ${name} = '${value}'`)

/** What of its database a connection asks, and tells, when it gets no answer. */
interface Surroundings {
  askWhoWorks?: AskWhoWorks
  onSilence?(): void
  /** There was no room for a change. */
  onFull?(): void
  /** That changes are refused is as it should be. */
  isForReading?: boolean
}

/** The function of PostgreSQL that waits for standbys, and warns when it is kept from waiting on. */
const WAITS_FOR_STANDBYS = 'SyncRepWaitForLSN'

/** A connection to PostgreSQL, or to a pooler in front of it. */
export class Connection implements DatabaseConnection {
  readonly #client: pg.Client
  readonly #surroundings: Surroundings
  #isDirect = false
  #keptBehindPooler: KeptBehindPooler | undefined
  #hasOutrunStandbys = false
  #takesChanges = true
  /** Milliseconds after which a statement that is not answered will not be. */
  #patience = DEAD
  /** Whether it is to be lent to nobody else: where the database takes no changes the next may find one that does. */
  isSpent = false

  private constructor(client: pg.Client, surroundings: Surroundings) {
    this.#client = client
    this.#surroundings = surroundings
    client.on('notice', ({ routine }) => (this.#hasOutrunStandbys ||= routine === WAITS_FOR_STANDBYS))
  }

  /** Of a client that has just connected. */
  static async over(client: pg.Client, surroundings: Surroundings = {}): Promise<Connection> {
    const connection = new Connection(client, surroundings)
    await connection.#introduce()
    return connection
  }

  /** Whether the database took changes when this was connected. */
  get takesChanges(): boolean {
    return this.#takesChanges
  }

  /** Behind a pooler a setting, or what is announced, would be another's with the next transaction. */
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
    if (!isPrepared(query)) return this.#send(statement)
    const kept = { name: nameOf(query.sql), ...statement }
    if (this.#isDirect) return this.#send(kept)
    const behindPooler = this.#keptBehindPooler
    return behindPooler?.mayMiss ? tracedStatement(kept, () => behindPooler.send(kept)) : this.#send(statement)
  }

  async begin(mode = ''): Promise<void> {
    const begin = `begin${mode}`
    // A pooler hands each transaction to another connection of its own: limits hold for that alone.
    await this.#send({ text: this.#isDirect ? begin : [begin, ...BEGIN_LIMITED].join(';') })
  }

  async commit(): Promise<void> {
    this.#patience = DEAD
    const { command } = await this.#send({ text: 'commit' })
    if (command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  /** A connection that fails here is closed, which rolls back too. Whoever waits hears of the first failure. */
  async rollback(): Promise<void> {
    this.#patience = DEAD
    await this.#send({ text: 'rollback' }).catch(() => {
      this.isSpent = true
    })
  }

  // biome-ignore lint/correctness/useYield: nobody reads rows one by one here.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are read all at once.')
  }

  /** Sets the limits, and finds out whether a pooler is in between, and whether the database is told names as they are given. */
  async #introduce(): Promise<void> {
    const settings = Object.entries({ ...limits, ...keepalive }).map(
      ([name, value]) => `set_config('${name}', '${value}', false)`,
    )
    const isOurs = 'pg_backend_pid() = $1::integer'
    const closed = `current_setting('transaction_read_only') = 'on' as closed`
    const name = `kept_probe_${randomBytes(9).toString('base64url')}`
    const named = `exists (select from pg_prepared_statements where name = '${name}') as named`
    const text = `select ${isOurs} as direct, ${closed}, ${named}, case when ${isOurs} then array[${settings}] end`
    // PostgreSQL tells its own number to whoever connects, and a pooler one that it made up.
    const processId = 'processID' in this.#client ? this.#client.processID : undefined
    const { rows } = await this.#send({ name, text, values: [processId] })
    if (rows[0]?.closed === true) this.#refusesChanges()
    this.#isDirect = rows[0]?.direct === true
    // A pooler that keeps statements itself has other names for them, and ends whoever asks for one that it was not given.
    if (!this.#isDirect && rows[0]?.named === true)
      this.#keptBehindPooler = new KeptBehindPooler(this.#client, (one) => this.#exchange(one))
  }

  #send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    return tracedStatement(statement, () => this.#exchange(statement))
  }

  async #exchange(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const giveUp = () => {
      void this.#client.end()
      this.#surroundings.onSilence?.()
    }
    const { askWhoWorks } = this.#surroundings
    const answered = giveUpInSilence(giveUp, { within: this.#patience, askWhoWorks, processId: this.#processId })
    try {
      const result = await this.#client.query(statement)
      if (this.#hasOutrunStandbys) throw this.#outrun()
      return result
    } catch (error) {
      if (failureOf(error) === 'read only') this.#refusesChanges()
      if (isDiskFull(error)) this.#surroundings.onFull?.()
      throw error
    } finally {
      answered()
    }
  }

  #refusesChanges() {
    this.#takesChanges = false
    this.isSpent ||= !this.#surroundings.isForReading
  }

  /** Whoever hears of the change hears of what a failover may undo. */
  #outrun(): Error {
    this.#hasOutrunStandbys = false
    return new NotReplicated('A change took effect here, and perhaps on no standby.')
  }

  /** Of the database's process behind it, where that is known. */
  get #processId(): number | undefined {
    return this.#isDirect && 'processID' in this.#client ? Number(this.#client.processID) : undefined
  }
}

const tracedStatement = ({ text }: { text: string }, work: () => Promise<pg.QueryResult>) =>
  tracedPart(() => stepOf(text), work)

/** A statement is named by what it does, and to what first: its text is long, and its values are somebody's. */
const stepOf = remember(2_000, (text: string) => {
  const [, verb = 'statement'] = /^\s*(\w+)/.exec(text) ?? []
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text) ?? []
  const summary = table === undefined ? verb.toLowerCase() : `${verb.toLowerCase()} ${table}`
  return {
    ...{ name: summary, kind: 'client' as const },
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
  }
})

/**
 * Two processes never mean two statements by one name, nor by one name that is kept behind a pooler the same text before a migration and
 * after it.
 */
const nameOf = remember(2_000, (text: string) => `kept_${hash('sha256', `${files.at(-1)} ${text}`, 'base64url')}`)
