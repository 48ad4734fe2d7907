import { hash } from 'node:crypto'
import pg from 'pg'
import { failureOf } from './failures.ts'

/**
 * What ends with this comment is read and planned once for each connection: for a short statement that is half the work.
 * It must name its columns, so that a migration under a running server does not give it others.
 */
export const KEPT = '/* kept */'

/** Before that: nothing but the end of the transaction follows. A statement that is alone needs no other to end it. */
export const LAST = '/* last */ '

/** How long, in milliseconds, the database may say nothing to a statement before the connection counts as dead. */
const DEAD = 20_000

/**
 * How long the database bears with a server: one that froze must not keep locks from all the others, nor one whose host is
 * gone a connection. Whoever waits for a lock that long gives up.
 */
export const LOCK_PATIENCE = '5s'
const limits = { statement_timeout: '15s', lock_timeout: LOCK_PATIENCE, idle_in_transaction_session_timeout: '12s' }
const keepalive = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '2' }

/** A pooler in between hands each transaction to another connection of its own: limits hold for that alone. */
const BEGIN_POOLED = ['begin', ...Object.entries(limits).map(([name, value]) => `set local ${name} = '${value}'`)].join(
  ';',
)

/** Statements that are planned once for each connection, by their text. Two processes never mean two things by one name. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `kept_${hash('sha256', text, 'base64url')}`
  names.set(text, name)
  return name
}

/** Connections to a database that takes no changes: they are not kept, since the next may find one that does. */
export const readOnly = new WeakSet<pg.ClientBase>()

/** How far a transaction has come: nothing was sent yet, or the one statement that was the whole of it. */
type Progress = 'due' | 'done' | undefined

/** What a connection asks and tells its pool. */
interface Surroundings {
  /** Throws when there is to be no transaction. */
  mayBegin(): void
  /** The database gave no answer, and it is not known why. */
  onSilence(): void
}

/** Keeps plans, and begins a transaction with its first statement: one that has only one is that statement. */
export async function prepareConnection(client: pg.Client, { mayBegin, onSilence }: Surroundings): Promise<void> {
  const { send, isDirect } = await settle(client, onSilence)
  const run = (text: string, values: unknown[] = []) =>
    isDirect && text.endsWith(KEPT) ? send({ name: nameOf(text), text, values }) : send({ text, values })
  let progress: Progress

  async function query(text: string, values?: unknown[]) {
    const before = progress
    progress = undefined
    if (text === 'begin') {
      mayBegin()
      progress = 'due'
      return empty('BEGIN')
    }
    if (before && (text === 'commit' || text === 'rollback')) return empty(text.toUpperCase())
    if (before !== 'due') return run(text, values)
    if (text.endsWith(LAST + KEPT)) progress = 'done'
    else await send({ text: isDirect ? 'begin' : BEGIN_POOLED })
    return run(text, values)
  }
  Object.assign(client, { query })
}

/** Finds out whether a pooler is in between: then a plan, or a setting, would be another's with the next transaction. */
export async function settle(client: pg.Client, onSilence = () => {}) {
  const query = client.query.bind(client)
  async function send(statement: { text: string; name?: string; values?: unknown[] }) {
    const death = setTimeout(() => {
      void client.end()
      onSilence()
    }, DEAD)
    try {
      return await query(statement)
    } catch (error) {
      if (failureOf(error) === 'read only') readOnly.add(client)
      throw error
    } finally {
      clearTimeout(death)
    }
  }
  const settings = Object.entries({ ...limits, ...keepalive }).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  )
  const isOurs = 'pg_backend_pid() = $1::integer'
  const closed = `current_setting('transaction_read_only') = 'on' as closed`
  const text = `select ${isOurs} as direct, ${closed}, case when ${isOurs} then array[${settings}] end`
  // PostgreSQL tells its own number to whoever connects, and a pooler one that it made up.
  const processId = 'processID' in client ? client.processID : undefined
  const { rows } = await send({ text, values: [processId] })
  if (rows[0]?.closed) readOnly.add(client)
  return { send, isDirect: rows[0]?.direct === true }
}

const empty = (command: string) => ({ command, rowCount: null, rows: [] })

/** A demand that the database found not to be met. */
export const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === 'USP01'
