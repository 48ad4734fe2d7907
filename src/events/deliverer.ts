import { type DeliveryMeans, deliver } from './deliver.ts'
import { listenFor } from './listen.ts'
import { deliveriesTake, leasesRenew } from './queries.ts'

const AT_ONCE = 96
/** How often a server says that it still sends what it took. */
const PULSE = 1_000
/** How long to wait when nothing was announced: for retries that fall due, and for leases of the dead. */
const PATIENCE = 1_000

/** Sends what is due, as soon as it is announced. Several servers share the work through the database. */
export function startDeliverer(means: DeliveryMeans, databaseUrl: string): { close(): Promise<void> } {
  let closed = false
  let wake = () => {}
  const sender = makeSender(means, () => wake())
  const run = async () => {
    while (!closed) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const took = await sender.takeSome().catch((error) => {
        means.log.warn({ err: error }, 'deliveries')
        return false
      })
      if (!took && !closed) await Promise.race([woken, sleep(PATIENCE)])
    }
  }
  const pulse = setInterval(() => void sender.renew(), PULSE)
  pulse.unref()
  const listener = listenFor(databaseUrl, 'deliveries', () => wake())
  const running = run()
  return {
    async close() {
      closed = true
      wake()
      await Promise.all([running, listener.close()])
      await sender.idle()
      clearInterval(pulse)
    },
  }
}

/** Sends everything that is due now, and returns when it is told or has failed. */
export async function deliverAll(means: DeliveryMeans): Promise<void> {
  const sender = makeSender(means, () => {})
  while (await sender.takeSome()) await sender.idle()
}

function makeSender(means: DeliveryMeans, done: () => void) {
  const { db, clock, log } = means
  const underway = new Map<string, Promise<void>>()
  return {
    /** Takes as much as there is room for, and says whether there was any. */
    async takeSome(): Promise<boolean> {
      const room = AT_ONCE - underway.size
      if (room === 0) return false
      const due = await deliveriesTake(db, room, clock())
      if (due.length === 0) return false
      for (const one of due) {
        const work = deliver(means, one)
          .catch((error) => log.warn({ err: error }, 'delivery'))
          .finally(() => {
            if (underway.get(one.id) === work) underway.delete(one.id)
            done()
          })
        underway.set(one.id, work)
      }
      return true
    },
    idle: () => Promise.all(underway.values()),
    async renew(): Promise<void> {
      if (underway.size === 0) return
      await leasesRenew(db, [...underway.keys()]).catch((error) => log.warn({ err: error }, 'deliveries'))
    },
  }
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
