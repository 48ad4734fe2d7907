import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Database } from '../../../infra/db/database.ts'
import type { RegistryLocation, Service } from '../../../protocol/types.generated.ts'
import type { FeedPage } from './feed-page.ts'
import { forgetPastDays } from './forget-past-days.ts'
import { type Due, indexedCap, indexedRemove, indexedUpsert, type Progress, progressKeep } from './index-queries.ts'
import { type IndexedService, indexedService } from './indexed-service.ts'
import { withinVocabulary } from './search-texts.ts'

/** Of one business, and the places where they are to be had: a search near a place measures the way to each of these. */
const MOST_SERVICES = 5_000
const MOST_PLACES = 10_000

/** A catalogue that is being read. */
export interface Reading extends Progress {
  due: Due
  items: number
  unreadable: number
  /** Whether a page said that it may lack something. */
  isPartial: boolean
  isCapped: boolean
  /** The words that were kept so far. */
  vocabulary: Set<string>
}

/**
 * How much of the reading outlives it. One from the beginning whose pages lack something is not to be gone on with: it
 * ends without anything being missed, and the next begins again.
 */
export const lasting = ({ cursor, since, isPartial }: Reading): Progress =>
  since && isPartial ? { cursor: null, since: null } : { cursor, since }

/** Puts a page into the index, and with it how far the feed is read; nothing if it is not ours to be read any more. */
export async function storePage(
  db: Database,
  reading: Reading,
  page: FeedPage,
  now: Date,
): Promise<Reading | undefined> {
  const { due, since } = reading
  const read: Reading = {
    ...reading,
    cursor: page.next,
    items: reading.items + page.items,
    unreadable: reading.unreadable + page.unreadable,
    isPartial: reading.isPartial || page.status !== 'healthy',
  }
  const services = [...page.changes.values()].filter((service) => service !== null)
  const gone = [...page.changes].flatMap(([id, service]) => (service ? [] : [id]))
  // The clocks of servers differ, and what was seen in this reading must not look older than it.
  const at = since && since > now ? since : now
  const rows = await rowsOf(services, due.location, reading.vocabulary)
  return db.transaction().execute(async (tx) => {
    const lease = await progressKeep(tx, due, lasting(read))
    if (lease === undefined) return undefined
    await indexedRemove(tx, due.id, gone)
    await indexedUpsert(tx, due.id, rows, at)
    await forgetPastDays(tx, now, due.id)
    const isCapped = await indexedCap(tx, due.id, { services: MOST_SERVICES, places: MOST_PLACES }, since)
    return { ...read, due: { ...due, lease }, isCapped: reading.isCapped || isCapped }
  })
}

/** Long texts take a while each, and this server has other things to do. */
async function rowsOf(
  services: Service[],
  location: RegistryLocation | null,
  vocabulary: Set<string>,
): Promise<IndexedService[]> {
  const rows: IndexedService[] = []
  for (const service of services) {
    const row = indexedService(service, location)
    const names = withinVocabulary(row.names, vocabulary)
    const groups = withinVocabulary(row.groups, vocabulary)
    rows.push({ ...row, names, groups, texts: withinVocabulary(row.texts, vocabulary) })
    await othersTurn()
  }
  return rows
}
