import { setTimeout as pass } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type BackgroundLoop, type LoopOptions, startLoop } from './background-loop.ts'
import { RENEWED_EVERY_MS } from './row-lease.ts'

/** Writes the result of the work on a queue row to the database. If the function fails, the worker calls it again. */
export type WriteOutcome = () => Promise<unknown>

/** Describes a queue table in the database, and the work on its rows. Several servers can work on the same queue. */
export interface Work<Item> {
  name: string
  atOnce: number
  idOf(item: Item): string
  /** Leases at most `most` due queue rows to this process. Other processes skip these rows until the leases end. */
  take(most: number): Promise<Item[]>
  /**
   * Works on one queue row, and returns the function that writes the result. If the work throws an error, the row is
   * due again after its lease ends.
   */
  work(item: Item, isClosing: () => boolean): Promise<WriteOutcome | undefined>
  renew?(items: Item[]): Promise<unknown>
}

type Log = { log: FastifyBaseLogger }

export function startWorker<Item>(
  { log }: Log,
  work: Work<Item>,
  { every, announced }: Pick<LoopOptions, 'every' | 'announced'>,
): BackgroundLoop {
  const pool = openPool(log, work)
  const loop = startLoop({ name: work.name, every, log, ...(announced && { announced }) }, (isClosing) =>
    pool.takeAll(isClosing, () => loop.wake()),
  )
  return {
    async close() {
      await loop.close()
      await pool.close()
    },
  }
}

/** Works on all queue rows that are due now. The promise resolves after the work on each row is done or has failed. */
export async function workAll<Item>({ log }: Log, work: Work<Item>, isClosing = () => false): Promise<void> {
  const pool = openPool(log, work)
  try {
    while (await pool.takeAll(isClosing, () => {})) await pool.idle()
  } finally {
    await pool.close()
  }
}

/** Keeps a list of the queue rows that this process works on, and renews the leases of these rows. */
function openPool<Item>(log: FastifyBaseLogger, work: Work<Item>) {
  const { name, atOnce, idOf } = work
  const inProgress = new Map<string, { item: Item; done: Promise<void> }>()
  const begin = (item: Item, isClosing: () => boolean, onDone: () => void) => {
    const done = workOn(item, work, { log, isClosing })
      .catch((error) =>
        log.warn({ err: error }, `An item of the ${name} worker failed; it is tried again when its lease ends.`),
      )
      .then(() => {
        inProgress.delete(idOf(item))
        onDone()
      })
    inProgress.set(idOf(item), { item, done })
  }
  const renewal = setInterval(() => {
    const items = [...inProgress.values()].map(({ item }) => item)
    if (items.length > 0)
      work.renew?.(items).catch((error) => log.warn({ err: error }, `The ${name} worker could not renew its leases.`))
  }, RENEWED_EVERY_MS).unref()
  const idle = () => Promise.all([...inProgress.values()].map(({ done }) => done))
  return {
    /**
     * Starts work on due queue rows, until no row is due or the maximum number of rows is in progress. Returns whether
     * the work on at least one row has started.
     */
    async takeAll(isClosing: () => boolean, onDone: () => void): Promise<boolean> {
      let beganAny = false
      while (inProgress.size < atOnce && !isClosing()) {
        const taken = await work.take(atOnce - inProgress.size)
        // While the database is unreachable, the leases of this process can expire. The queue can then return a row
        // that this process still works on. The worker skips this row.
        const items = taken.filter((item) => !inProgress.has(idOf(item)))
        if (items.length === 0) break
        beganAny = true
        for (const item of items) begin(item, isClosing, onDone)
      }
      return beganAny
    },
    idle,
    async close() {
      await idle()
      clearInterval(renewal)
    },
  }
}

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2_000

/**
 * Works on a queue row once, and writes the result to the database. If the writing fails, the worker repeats only the
 * writing. A closing process makes one last attempt to write. If this attempt fails too, another process repeats the
 * whole work.
 */
async function workOn<Item>(
  item: Item,
  { name, work }: Work<Item>,
  { log, isClosing }: Log & { isClosing: () => boolean },
): Promise<void> {
  const writeOutcome = await work(item, isClosing)
  if (!writeOutcome) return
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
    const isLastTry = isClosing()
    try {
      await writeOutcome()
      return
    } catch (error) {
      if (isLastTry) throw error
      if (wait === FIRST_RETRY_MS)
        log.warn({ err: error }, `An outcome of the ${name} worker could not be stored; the worker tries again.`)
    }
    await pass(wait)
  }
}
