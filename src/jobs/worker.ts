import type { FastifyBaseLogger } from 'fastify'
import { RENEWED_EVERY_MS } from './lease.ts'
import { type LoopOptions, type Running, startLoop } from './loop.ts'

/** Work that lies in the database, for whichever server is first. */
export interface Work<Item> {
  /** What its failures are called in the log. */
  name: string
  atOnce: number
  /** Takes up to so many of what is due, and leases them to this process: they are nobody else's until the lease ends. */
  take(most: number): Promise<Item[]>
  /** Does one, and writes down how it went. */
  work(item: Item, isClosing: () => boolean): Promise<unknown>
  /** Says that these are still being worked on. */
  renew?(items: Item[]): Promise<unknown>
}

type Log = { log: FastifyBaseLogger }

/** Works on what is due as soon as it is announced or, where nobody does that, now and again. Several servers share the work through the database. */
export function startWorker<Item>(
  { log }: Log,
  work: Work<Item>,
  { every, announced }: Pick<LoopOptions, 'every' | 'announced'>,
): Running {
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

/** Works on everything that is due now, and returns when it is done or has failed. */
export async function workAll<Item>({ log }: Log, work: Work<Item>, isClosing = () => false): Promise<void> {
  const pool = openPool(log, work)
  try {
    while (await pool.takeAll(isClosing, () => {})) await pool.idle()
  } finally {
    await pool.close()
  }
}

/** What this process is working on. Its leases are renewed until it is closed. */
function openPool<Item>(log: FastifyBaseLogger, { name, atOnce, take, work, renew }: Work<Item>) {
  const underway = new Map<Item, Promise<void>>()
  const begin = (item: Item, isClosing: () => boolean, done: () => void) => {
    const working = work(item, isClosing)
      .catch((error) => log.warn({ err: error }, name))
      .then(() => {
        underway.delete(item)
        done()
      })
    underway.set(item, working)
  }
  const renewal = setInterval(() => {
    if (underway.size > 0) renew?.([...underway.keys()]).catch((error) => log.warn({ err: error }, name))
  }, RENEWED_EVERY_MS).unref()
  const idle = () => Promise.all(underway.values())
  return {
    /** Takes as much as there is and as can be worked on; says whether there was any. */
    async takeAll(isClosing: () => boolean, done: () => void): Promise<boolean> {
      let tookAny = false
      while (underway.size < atOnce && !isClosing()) {
        const items = await take(atOnce - underway.size)
        if (items.length === 0) break
        tookAny = true
        for (const item of items) begin(item, isClosing, done)
      }
      return tookAny
    },
    idle,
    /** When what is under way has ended. */
    async close() {
      await idle()
      clearInterval(renewal)
    },
  }
}
