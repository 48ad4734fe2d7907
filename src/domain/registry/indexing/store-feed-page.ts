import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Database } from '../../../infra/db/database.ts'
import type { Service } from '../../../protocol/types.generated.ts'
import { availabilityRanking } from './availability-ranking.ts'
import { hintOf, type IndexedService, indexedService } from './indexed-service.ts'
import type { FeedPage } from './read-feed-page.ts'
import {
  type DueBusiness,
  indexedCap,
  indexedRemove,
  indexedUpsert,
  type Progress,
  progressStore,
  registryStateLock,
} from './search-index-queries.ts'
import { withinVocabulary } from './search-texts.ts'

/**
 * The index contains at most `MOST_SERVICES` services and `MOST_PLACES` locations of one business. The limits exist
 * because a search near a location computes the distance to each indexed location.
 */
const MOST_SERVICES = 5_000
const MOST_PLACES = 10_000

export interface Crawl extends Progress {
  due: DueBusiness
  items: number
  unreadable: number
  /**
   * Whether at least one page of this crawl said that the feed may be incomplete. If so, the crawl does not delete
   * services that it did not find.
   */
  isPartial: boolean
  isCapped: boolean
  vocabulary: Set<string>
}

/**
 * Returns the progress of a crawl, which the database stores after each feed page. If a crawl from the beginning of the
 * feed finds an incomplete page, the next crawl also starts at the beginning.
 */
export const progressToStore = ({ cursor, since, isPartial }: Crawl): Progress =>
  since && isPartial ? { cursor: null, since: null } : { cursor, since }

/**
 * Writes a feed page to the search index and stores the progress of the crawl, in one transaction. Returns undefined if
 * the lease of the crawl has ended.
 */
export async function storePage(db: Database, reading: Crawl, page: FeedPage, now: Date): Promise<Crawl | undefined> {
  const { due, since } = reading
  const read: Crawl = {
    ...reading,
    cursor: page.next,
    items: reading.items + page.items,
    unreadable: reading.unreadable + page.unreadable,
    isPartial: reading.isPartial || page.status !== 'healthy',
  }
  const services = [...page.changes.values()].filter((service) => service !== null)
  const removed = [...page.changes].flatMap(([id, service]) => (service ? [] : [id]))
  // The clocks of servers differ, so a row could get an earlier time than the start of its crawl. The end of the crawl
  // would then delete the row as outdated. Therefore the row gets at least the start time of the crawl.
  const at = since && since > now ? since : now
  const rows = await rowsOf(services, { ...due, now }, reading.vocabulary)
  return db.transaction().execute(async (tx) => {
    const lease = await progressStore(tx, due, progressToStore(read))
    if (lease === undefined) return undefined
    if (removed.length + rows.length > 0) await registryStateLock(tx)
    await indexedRemove(tx, due.id, removed)
    await indexedUpsert(tx, due.id, rows, at)
    const isCapped = await indexedCap(tx, due.id, { services: MOST_SERVICES, places: MOST_PLACES }, since)
    return { ...read, due: { ...due, lease }, isCapped: reading.isCapped || isCapped }
  })
}

/**
 * Makes the index rows for a feed page. The function pauses after each service, because long texts take time and would
 * block the event loop.
 */
async function rowsOf(
  services: Service[],
  { location, timezone, now }: Pick<DueBusiness, 'location' | 'timezone'> & { now: Date },
  vocabulary: Set<string>,
): Promise<IndexedService[]> {
  const rows: IndexedService[] = []
  for (const service of services) {
    const ranking = availabilityRanking(hintOf(service), { timezone, now })
    const row = { ...indexedService(service, location), ...ranking }
    const names = withinVocabulary(row.names, vocabulary)
    const groups = withinVocabulary(row.groups, vocabulary)
    rows.push({ ...row, names, groups, texts: withinVocabulary(row.texts, vocabulary) })
    await othersTurn()
  }
  return rows
}
