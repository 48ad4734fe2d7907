import { listenFor } from '../events/listen.ts'
import type { Runtime } from '../runtime.ts'
import { registrationTake } from './index-queries.ts'
import { readCatalogue } from './read-catalogue.ts'

const AT_ONCE = 4
/** How often it is looked, in milliseconds, for what falls due without being announced. */
const PATIENCE = 5_000

/** Reads the catalogues that are due, a few at once. Several servers share the work through the database. */
export function startIndexer(runtime: Runtime, databaseUrl: string): { close(): Promise<void> } {
  let closed = false
  const readers = new Set<Promise<void>>()
  const look = () => {
    for (let free = AT_ONCE - readers.size; free > 0 && !closed; free--) {
      const reader = readDue(runtime, () => closed)
        .catch((error) => runtime.log.warn({ err: error }, 'indexing'))
        .finally(() => readers.delete(reader))
      readers.add(reader)
    }
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

/** One business after the other, until none is due. */
export async function readDue(runtime: Runtime, isClosing = () => false): Promise<void> {
  const { db, clock, business } = runtime
  while (!isClosing() && (await business.get())?.registry?.enabled) {
    const due = await registrationTake(db, clock())
    if (!due) return
    await readCatalogue(runtime, due, isClosing)
  }
}
