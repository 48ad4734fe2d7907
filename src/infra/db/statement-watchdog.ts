import pg from 'pg'
import { withTimeout } from '../util/with-timeout.ts'
import { connectionOptions } from './connection-options.ts'
import { isDatabaseRunning, NoConnectionError } from './database-failures.ts'

/**
 * After this many milliseconds without an answer, a connection counts as dead. PostgreSQL's statement timeout is
 * shorter.
 */
export const STATEMENT_DEADLINE_MS = 16_000
/**
 * Two durations in milliseconds, for a statement without an answer: the pause between two checks of the statement, and
 * the time limit of one check.
 */
const PROBE_DELAY_MS = 1_500
const PROBE_TIMEOUT_MS = 3_000

/**
 * Finds the database processes that run statements. Returns a function that tells whether a process is one of them.
 * Throws an error if the database accepts no new connection.
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
 * not answer a probe (a query on another connection), or two probes find no process for the statement. One such probe
 * is not enough, because the answer may arrive at the same time. Returns a function that stops the probes.
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
 * Creates a function that finds the processes of running statements on a separate connection. Concurrent callers share
 * one search.
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
