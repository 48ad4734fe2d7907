import pg from 'pg'
import { inTime } from '../util/in-time.ts'
import { connectionOptions } from './connection-options.ts'
import { isThere, NotFound } from './failures.ts'

/** Milliseconds without an answer after which a connection counts as dead. It is longer than the statement timeout. */
export const DEAD = 16_000
/** Milliseconds between two probes of an unanswered statement, and until a probe fails. */
const DOUBT = 1_500
const NO_ANSWER = 3_000

/** Returns a test whether a process of the database is active. Throws when the database answers no new connection. */
export type AskWhoWorks = () => Promise<(processId: number) => boolean>

interface Patience {
  /** In milliseconds. */
  within: number
  askWhoWorks: AskWhoWorks | undefined
  /** The process of the database that runs the statement, if known. */
  processId: number | undefined
}

/**
 * Calls `giveUp` when a statement will get no answer: at the deadline, or when the database does not answer a probe. Also
 * when two probes find no process at work on it; the first may cross with the answer. Returns a function that stops this.
 */
export function giveUpInSilence(giveUp: () => void, { within, askWhoWorks, processId }: Patience): () => void {
  const deadAt = performance.now() + within
  let [isOver, misses] = [false, 0]
  const doubt = async () => {
    if (performance.now() >= deadAt) return giveUp()
    const worksAt = await askWhoWorks?.().catch(() => undefined)
    if (isOver) return
    if (worksAt && processId !== undefined && !worksAt(processId)) misses++
    if ((askWhoWorks && !worksAt) || misses > 1) giveUp()
    else timer = setTimeout(doubt, Math.min(DOUBT, Math.max(0, deadAt - performance.now())))
  }
  let timer = setTimeout(doubt, DOUBT)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Probes on a separate connection, once for all concurrent callers. */
export function whoWorksAt(url: () => string): AskWhoWorks {
  let asked: ReturnType<AskWhoWorks> | undefined
  return () => {
    asked ??= ask(url()).finally(() => {
      asked = undefined
    })
    return asked
  }
}

async function ask(url: string): ReturnType<AskWhoWorks> {
  const client = new pg.Client({ ...connectionOptions, connectionString: url })
  client.on('error', () => {})
  const answer = async () => {
    await client.connect()
    return client.query<{ pid: number }>("select pid from pg_stat_activity where state = 'active'")
  }
  try {
    const { rows } = await inTime(answer(), NO_ANSWER, () => new NotFound('The database has not said who works.'))
    return (processId) => rows.some(({ pid }) => pid === processId)
  } catch (error) {
    if (isThere(error)) return () => true
    throw error
  } finally {
    // Does not wait, since an unresponsive database does not confirm the end of the connection.
    void client.end().catch(() => {})
  }
}
