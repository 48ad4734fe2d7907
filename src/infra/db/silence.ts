import pg from 'pg'
import { inTime } from '../util/in-time.ts'
import { connectionOptions } from './connection-options.ts'
import { isThere, NotFound } from './failures.ts'

/** How long, in milliseconds, the database may say nothing to a statement before the connection counts as dead: longer than one may take. */
export const DEAD = 16_000
/** Milliseconds of silence from one doubt to the next, and how long the answer to it may take. */
const DOUBT = 1_500
const NO_ANSWER = 3_000

/** Says which processes of the database are at work; throws when it answers nobody. */
export type AskWhoWorks = () => Promise<(processId: number) => boolean>

interface Patience {
  /** Milliseconds. */
  within: number
  askWhoWorks: AskWhoWorks | undefined
  /** Of the one that is at work on it, where that is known. */
  processId: number | undefined
}

/**
 * Calls `giveUp` when a statement will not be answered any more: the database answers nobody else either or, which is asked
 * twice since an answer may be on its way, has no process at work on it. What is returned ends this.
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

/** Asks on a connection of its own, once for all who doubt at the same time. */
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
    // Who says nothing does not say goodbye either.
    void client.end().catch(() => {})
  }
}
