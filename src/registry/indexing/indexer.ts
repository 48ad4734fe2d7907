import { listenFor } from '../../events/listen.ts'
import type { Means } from '../../protocol/means.ts'
import { hasRegistry } from '../../protocol/served.ts'
import { registrationTake } from './index-queries.ts'
import { readCatalogue } from './read-catalogue.ts'
import { cancelUnwanted, keepSubscribed } from './subscribe.ts'

type Needs = Means<'db' | 'config' | 'clock' | 'log' | 'business' | 'signingBox'>

const AT_ONCE = 4
/** How often it is looked, in milliseconds, for what falls due without being announced. */
const PATIENCE = 2_000

/** Reads the catalogues that are due, a few at once. Several servers share the work through the database. */
export function startIndexer(means: Needs, databaseUrl: string): { close(): Promise<void> } {
  let closed = false
  const readers = new Set<Promise<void>>()
  /** One looks; as soon as it has found something, another one looks for more. */
  const look = () => {
    if (closed || readers.size === AT_ONCE) return
    const reader = readDue(means, { isClosing: () => closed, found: look })
      .catch((error) => means.log.warn({ err: error }, 'indexing'))
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
  means: Needs,
  { isClosing = () => false, found = () => {} }: { isClosing?: () => boolean; found?: () => void } = {},
): Promise<void> {
  const { db, clock, business } = means
  while (!isClosing() && hasRegistry(await business.get())) {
    const due = await registrationTake(db, clock())
    if (!due) {
      if (await cancelUnwanted(means)) continue
      return
    }
    found()
    if (await readCatalogue(means, due, isClosing)) await keepSubscribed(means, due.id)
  }
}
