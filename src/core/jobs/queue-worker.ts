import { setTimeout as pass } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type BackgroundLoop, type LoopOptions, startLoop } from './background-loop.ts'
import { RENEWED_EVERY_MS } from './row-lease.ts'

/**
 * Writes the result of the work on one queue row to the database. The worker calls this function again until it
 * succeeds.
 */
export type WriteOutcome = () => Promise<unknown>

/** Describes a queue in the database and the work on its rows. Several servers take rows from one queue. */
export interface Work<Item> {
  name: string
  atOnce: number
  idOf(item: Item): string
  /**
   * Leases at most `most` due rows of a queue to this process. Other processes skip these rows while the leases last.
   */
  take(most: number): Promise<Item[]>
  /**
   * Works on one queue row, and returns the function that writes the outcome. If the work throws an error, the row is
   * due again when its lease ends.
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

/** Works on all queue rows that are due now. The promise resolves when each row is done or has failed. */
export async function workAll<Item>({ log }: Log, work: Work<Item>, isClosing = () => false): Promise<void> {
  const pool = openPool(log, work)
  try {
    while (await pool.takeAll(isClosing, () => {})) await pool.idle()
  } finally {
    await pool.close()
  }
}

/** Tracks the queue rows on which this process works. Renews the leases of these rows until the pool is closed. */
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
     * Takes rows from the queue until no row is due, or until the process works on the allowed number of rows. Returns
     * whether it took a row.
     */
    async takeAll(isClosing: () => boolean, onDone: () => void): Promise<boolean> {
      let beganAny = false
      while (inProgress.size < atOnce && !isClosing()) {
        const taken = await work.take(atOnce - inProgress.size)
        // If the database is unreachable for long, the leases of this process expire. The queue can then return a row
        // on which this process still works.
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
 * Works on a queue row once. If writing the result to the database fails, repeats only the writing. A closing process
 * repeats it only once. If the result is then not stored, the next process repeats the whole work.
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
