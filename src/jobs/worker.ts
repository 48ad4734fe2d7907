import type { FastifyBaseLogger } from 'fastify'
import { RENEWED_EVERY_MS } from './lease.ts'
import { type Running, startLoop } from './loop.ts'

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

/** Works on what is due as soon as it is announced. Several servers share the work through the database. */
export function startWorker<Item>(
  means: Log,
  work: Work<Item>,
  { databaseUrl, channel, every }: { databaseUrl: string; channel: string; every: number },
): Running {
  const { name } = work
  const pool = makePool(means, work)
  const turns = startLoop({ name, every, log: means.log, announced: { databaseUrl, channel } }, (isClosing) =>
    pool.takeAll(isClosing, () => turns.wake()),
  )
  const renewal = setInterval(pool.renew, RENEWED_EVERY_MS)
  renewal.unref()
  return {
    async close() {
      await turns.close()
      await pool.idle()
      clearInterval(renewal)
    },
  }
}

/** Works on everything that is due now, and returns when it is done or has failed. */
export async function workAll<Item>(means: Log, work: Work<Item>, isClosing = () => false): Promise<void> {
  const pool = makePool(means, work)
  const renewal = setInterval(pool.renew, RENEWED_EVERY_MS)
  try {
    while (await pool.takeAll(isClosing, () => {})) await pool.idle()
  } finally {
    clearInterval(renewal)
  }
}

function makePool<Item>({ log }: Log, { name, atOnce, take, work, renew }: Work<Item>) {
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
    idle: () => Promise.all(underway.values()),
    renew() {
      if (underway.size > 0) renew?.([...underway.keys()]).catch((error) => log.warn({ err: error }, name))
    },
  }
}
