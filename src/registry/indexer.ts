import { listenFor } from '../events/listen.ts'
import { hasRegistry } from '../protocol/served.ts'
import type { Runtime } from '../runtime.ts'
import { registrationTake } from './index-queries.ts'
import { readCatalogue } from './read-catalogue.ts'
import { cancelUnwanted, keepSubscribed } from './subscribe.ts'

const AT_ONCE = 4
/** How often it is looked, in milliseconds, for what falls due without being announced. */
const PATIENCE = 2_000

/** Reads the catalogues that are due, a few at once. Several servers share the work through the database. */
export function startIndexer(runtime: Runtime, databaseUrl: string): { close(): Promise<void> } {
  let closed = false
  const readers = new Set<Promise<void>>()
  /** One looks; as soon as it has found something, another one looks for more. */
  const look = () => {
    if (closed || readers.size === AT_ONCE) return
    const reader = readDue(runtime, { isClosing: () => closed, found: look })
      .catch((error) => runtime.log.warn({ err: error }, 'indexing'))
      .finally(() => readers.delete(reader))
    readers.add(reader)
  }
  const timer = setInterval(look, PATIENCE)
  timer.unref()
  const listener = listenFor(databaseUrl, 'registry', look)
  return {
    async close() {
      closed = true
      clearInterval(timer)
      await listener.close()
      await Promise.all(readers)
    },
  }
}

/** One business after the other, and then what nobody needs any more, until nothing is due. */
export async function readDue(
  runtime: Runtime,
  { isClosing = () => false, found = () => {} }: { isClosing?: () => boolean; found?: () => void } = {},
): Promise<void> {
  const { db, clock, business } = runtime
  while (!isClosing() && hasRegistry(await business.get())) {
    const due = await registrationTake(db, clock())
    if (!due) {
      if (await cancelUnwanted(runtime)) continue
      return
    }
    found()
    if (await readCatalogue(runtime, due, isClosing)) await keepSubscribed(runtime, due.id)
  }
}
