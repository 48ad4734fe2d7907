import type { FastifyBaseLogger } from 'fastify'
import { PULSE } from './lease.ts'
import { type Running, takeTurns } from './turns.ts'

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
  const hands = makeHands(means, work)
  const turns = takeTurns({ name, every, log: means.log, announced: { databaseUrl, channel } }, (isClosing) =>
    hands.takeAll(isClosing, () => turns.wake()),
  )
  const pulse = setInterval(hands.renew, PULSE)
  pulse.unref()
  return {
    async close() {
      await turns.close()
      await hands.idle()
      clearInterval(pulse)
    },
  }
}

/** Works on everything that is due now, and returns when it is done or has failed. */
export async function workAll<Item>(means: Log, work: Work<Item>, isClosing = () => false): Promise<void> {
  const hands = makeHands(means, work)
  const pulse = setInterval(hands.renew, PULSE)
  try {
    while (await hands.takeAll(isClosing, () => {})) await hands.idle()
  } finally {
    clearInterval(pulse)
  }
}

function makeHands<Item>({ log }: Log, { name, atOnce, take, work, renew }: Work<Item>) {
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
