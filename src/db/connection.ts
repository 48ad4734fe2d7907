import pg from 'pg'

/**
 * What ends with this comment is read and planned once for each connection: for a short statement that is half the work.
 * It must name its columns, so that a migration under a running server does not give it others.
 */
export const KEPT = '/* kept */'

/** Before that: nothing but the end of the transaction follows. A statement that is alone needs no other to end it. */
export const LAST = '/* last */ '

/** Statements that are planned once for each connection, by their text. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `kept_${names.size}`
  names.set(text, name)
  return name
}

/** How far a transaction has come: nothing was sent yet, or the one statement that was the whole of it. */
type Progress = 'due' | 'done' | undefined

/** Keeps plans, and begins a transaction with its first statement: one that has only one is that statement. */
export function prepareConnection(client: pg.PoolClient): void {
  const send = client.query.bind(client)
  const run = (text: string, values: unknown[] = []) =>
    text.endsWith(KEPT) ? send({ name: nameOf(text), text, values }) : send(text, values)
  let progress: Progress

  async function query(text: string, values?: unknown[]) {
    const before = progress
    progress = undefined
    if (text === 'begin') {
      progress = 'due'
      return empty('BEGIN')
    }
    if (before && (text === 'commit' || text === 'rollback')) return empty(text.toUpperCase())
    if (before !== 'due') return run(text, values)
    if (text.endsWith(LAST + KEPT)) progress = 'done'
    else await send('begin')
    return run(text, values)
  }
  Object.assign(client, { query })
}

const empty = (command: string) => ({ command, rowCount: null, rows: [] })

/** A demand that the database found not to be met. */
export const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === 'USP01'
