import { hash } from 'node:crypto'
import { AbortedTransactionError, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type pg from 'pg'
import { remember } from '../basics/remember.ts'
import { tracedPart } from '../monitoring/tracing.ts'
import { failureOf } from './failures.ts'
import { isPrepared } from './prepared.ts'

/** How long, in milliseconds, the database may say nothing to a statement before the connection counts as dead. */
export const DEAD = 20_000

/**
 * How long the database bears with a server: one that froze must not keep locks from all the others, nor one whose host is
 * gone a connection. Whoever waits for a lock that long gives up.
 */
export const LOCK_TIMEOUT_MS = 5_000
export const LOCK_TIMEOUT = `${LOCK_TIMEOUT_MS}ms`
const limits = { statement_timeout: '15s', lock_timeout: LOCK_TIMEOUT, idle_in_transaction_session_timeout: '12s' }
const keepalive = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '2' }
const BEGIN_LIMITED = Object.entries(limits).map(([name, value]) => `set local ${name} = '${value}'`)

/** A connection to PostgreSQL, or to a pooler in front of it. */
export class Connection implements DatabaseConnection {
  readonly #client: pg.Client
  readonly #onSilence: () => void
  #isDirect = false
  /** Whether it is to be lent to nobody else: where the database takes no changes the next may find one that does. */
  isSpent = false

  private constructor(client: pg.Client, onSilence: () => void) {
    this.#client = client
    this.#onSilence = onSilence
  }

  /** Of a client that has just connected. `onSilence` is called when the database gave no answer, and it is not known why. */
  static async over(client: pg.Client, onSilence = () => {}): Promise<Connection> {
    const connection = new Connection(client, onSilence)
    await connection.#introduce()
    return connection
  }

  /** Behind a pooler a plan, a setting, or what is announced would be another's with the next transaction. */
  get isDirect(): boolean {
    return this.#isDirect
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const text = query.sql
    const named = this.#isDirect && isPrepared(query) && { name: nameOf(text) }
    const { command, rowCount, rows } = await this.#send({ ...named, text, values: [...query.parameters] })
    const hasChanged = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
    return { rows, ...(hasChanged && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  async begin(mode = ''): Promise<void> {
    const begin = `begin${mode}`
    // A pooler hands each transaction to another connection of its own: limits hold for that alone.
    await this.#send({ text: this.#isDirect ? begin : [begin, ...BEGIN_LIMITED].join(';') })
  }

  async commit(): Promise<void> {
    const { command } = await this.#send({ text: 'commit' })
    if (command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    await this.#send({ text: 'rollback' }).catch((error) => {
      this.isSpent = true
      throw error
    })
  }

  // biome-ignore lint/correctness/useYield: nobody reads rows one by one here.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are read all at once.')
  }

  /** Sets the limits, and finds out whether a pooler is in between. */
  async #introduce(): Promise<void> {
    const settings = Object.entries({ ...limits, ...keepalive }).map(
      ([name, value]) => `set_config('${name}', '${value}', false)`,
    )
    const isOurs = 'pg_backend_pid() = $1::integer'
    const closed = `current_setting('transaction_read_only') = 'on' as closed`
    const text = `select ${isOurs} as direct, ${closed}, case when ${isOurs} then array[${settings}] end`
    // PostgreSQL tells its own number to whoever connects, and a pooler one that it made up.
    const processId = 'processID' in this.#client ? this.#client.processID : undefined
    const { rows } = await this.#send({ text, values: [processId] })
    this.isSpent ||= rows[0]?.closed === true
    this.#isDirect = rows[0]?.direct === true
  }

  async #send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const death = setTimeout(() => {
      void this.#client.end()
      this.#onSilence()
    }, DEAD)
    try {
      return await tracedPart(
        () => stepOf(statement.text),
        () => this.#client.query(statement),
      )
    } catch (error) {
      if (failureOf(error) === 'read only') this.isSpent = true
      throw error
    } finally {
      clearTimeout(death)
    }
  }
}

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

/** Two processes never mean two statements by one name. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `kept_${hash('sha256', text, 'base64url')}`
  names.set(text, name)
  return name
}
