import type { Runtime } from '../runtime.ts'
import { signingKey } from '../trust/signing-keys.ts'
import { deliver } from './deliver.ts'
import { listenFor } from './listen.ts'
import { deliveriesTake } from './queries.ts'

const AT_ONCE = 32
/** Longer than an attempt can take: who has not ended it by then is dead. */
const LEASE = 30_000
/** How long to wait when nothing was announced: for retries that fall due, and for leases of the dead. */
const PATIENCE = 1_000

/** Sends what is due, as soon as it is announced. Several servers share the work through the database. */
export function startDeliverer(runtime: Runtime, databaseUrl: string): { close(): Promise<void> } {
  let closed = false
  let wake = () => {}
  const sender = makeSender(runtime, () => wake())
  const run = async () => {
    while (!closed) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const took = await sender.takeSome().catch((error) => {
        runtime.log.warn({ err: error }, 'deliveries')
        return false
      })
      if (!took && !closed) await Promise.race([woken, sleep(PATIENCE)])
    }
  }
  const listener = listenFor(databaseUrl, 'deliveries', () => wake())
  const running = run()
  return {
    async close() {
      closed = true
      wake()
      await Promise.all([running, listener.close()])
      await sender.idle()
    },
  }
}

/** Sends everything that is due now, and returns when it is told or has failed. */
export async function deliverAll(runtime: Runtime): Promise<void> {
  const sender = makeSender(runtime, () => {})
  while (await sender.takeSome()) await sender.idle()
}

function makeSender(runtime: Runtime, done: () => void) {
  const { db, clock, log } = runtime
  const underway = new Set<Promise<void>>()
  return {
    /** Takes as much as there is room for, and says whether there was any. */
    async takeSome(): Promise<boolean> {
      const room = AT_ONCE - underway.size
      if (room === 0) return false
      const now = clock()
      const due = await deliveriesTake(db, room, new Date(now.getTime() + LEASE), now)
      if (due.length === 0) return false
      const key = await signingKey(runtime, now)
      for (const one of due) {
        const work = deliver(runtime, one, key)
          .catch((error) => log.warn({ err: error }, 'delivery'))
          .finally(() => {
            underway.delete(work)
            done()
          })
        underway.add(work)
      }
      return true
    },
    idle: () => Promise.all(underway),
  }
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
