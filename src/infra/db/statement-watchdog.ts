import pg from 'pg'
import { withTimeout } from '../util/with-timeout.ts'
import { connectionOptions } from './connection-options.ts'
import { isDatabaseRunning, NoConnectionError } from './database-failures.ts'

/**
 * After this many milliseconds without an answer, the server gives up a connection. PostgreSQL stops slow statements
 * earlier than this.
 */
export const STATEMENT_DEADLINE_MS = 16_000
/**
 * While a statement has no answer, the server checks repeatedly whether the database still runs it. The values are the
 * pause between two checks, and the time limit of one check, in milliseconds.
 */
const PROBE_DELAY_MS = 1_500
const PROBE_TIMEOUT_MS = 3_000

/**
 * Finds the database processes that run statements now. Returns a function that says whether a process id belongs to
 * one of them. Throws an error if the server cannot reach the database.
 */
export type FindActiveProcesses = () => Promise<(processId: number) => boolean>

interface WatchdogOptions {
  /** How long a statement may wait for its answer, in milliseconds. */
  within: number
  findActiveProcesses: FindActiveProcesses | undefined
  /** The id of the database process that runs the statement. Undefined if the server does not know it. */
  processId: number | undefined
}

/**
 * Calls `giveUp` if a statement will get no answer. There are three reasons: the deadline is over, the database does
 * not answer on another connection, or two checks find no process for the statement. One check is not enough, because
 * the answer can arrive during the check. Returns a function that stops the checks.
 */
export function abandonUnresponsive(
  giveUp: () => void,
  { within, findActiveProcesses, processId }: WatchdogOptions,
): () => void {
  const deadAt = performance.now() + within
  let [isOver, misses] = [false, 0]
  const doubt = async () => {
    if (performance.now() >= deadAt) return giveUp()
    const worksAt = await findActiveProcesses?.().catch(() => undefined)
    if (isOver) return
    if (worksAt && processId !== undefined && !worksAt(processId)) misses++
    if ((findActiveProcesses && !worksAt) || misses > 1) giveUp()
    else timer = setTimeout(doubt, Math.min(PROBE_DELAY_MS, Math.max(0, deadAt - performance.now())))
  }
  let timer = setTimeout(doubt, PROBE_DELAY_MS)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/**
 * Creates a function that asks the database for its active processes on a separate connection. Concurrent callers share
 * one query.
 */
export function activeProcessFinder(url: () => string): FindActiveProcesses {
  let search: ReturnType<FindActiveProcesses> | undefined
  return () => {
    search ??= probe(url()).finally(() => {
      search = undefined
    })
    return search
  }
}

async function probe(url: string): ReturnType<FindActiveProcesses> {
  const client = new pg.Client({ ...connectionOptions, connectionString: url })
  client.on('error', () => {})
  const answer = async () => {
    await client.connect()
    return client.query<{ pid: number }>("select pid from pg_stat_activity where state = 'active'")
  }
  try {
    const { rows } = await withTimeout(
      answer(),
      PROBE_TIMEOUT_MS,
      () => new NoConnectionError('The database did not list its active processes in time.'),
    )
    return (processId) => rows.some(({ pid }) => pid === processId)
  } catch (error) {
    if (isDatabaseRunning(error)) return () => true
    throw error
  } finally {
    // The server does not wait for the end of this connection, because a database that no longer answers never confirms
    // the end.
    void client.end().catch(() => {})
  }
}
