import type { BackgroundLoop } from '../../../core/jobs/background-loop.ts'
import type { Announcements } from '../../../core/jobs/postgres-notify-listener.ts'
import { startWorker, type Work, workAll } from '../../../core/jobs/queue-worker.ts'
import { hasRegistry } from '../../../protocol/capabilities.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { crawlCatalogue } from './crawl-catalogue.ts'
import { type DueBusiness, registrationLease } from './search-index-queries.ts'
import { cancelUnwanted, renewSubscription } from './subscribe-to-catalogue.ts'
import { type Unwanted, unwantedClaim } from './subscription-queries.ts'

type Needs = Dependencies<'db' | 'config' | 'clock' | 'log' | 'business' | 'signingBox'>
/** One task of the indexer: the crawl of a catalogue or, if no crawl is due, the cancellation of a subscription. */
type Item = { catalogue: DueBusiness } | { unwanted: Unwanted }

const AT_ONCE = 4
/**
 * The indexer looks for due crawls and cancellations at this interval, in milliseconds. The indexer must poll, because
 * no event announces that a crawl is due.
 */
const POLLED_EVERY_MS = 2_000

export const startIndexer = (dependencies: Needs, announcements: Announcements): BackgroundLoop =>
  startWorker(dependencies, indexing(dependencies), {
    every: POLLED_EVERY_MS,
    announced: { announcements, channel: 'registry' },
  })

/** Does all due work of the indexer, one task at a time: first the crawls, then the cancellations of subscriptions. */
export const crawlDue = (dependencies: Needs, { isClosing }: { isClosing?: () => boolean } = {}): Promise<void> =>
  workAll(dependencies, { ...indexing(dependencies), atOnce: 1 }, isClosing)

const indexing = (dependencies: Needs): Work<Item> => ({
  name: 'indexing',
  atOnce: AT_ONCE,
  idOf: (item) =>
    'catalogue' in item ? item.catalogue.id : `${item.unwanted.endpoint} ${item.unwanted.subscription_id}`,
  async take() {
    const { db, clock, business } = dependencies
    if (!hasRegistry(await business.get())) return []
    const catalogue = await registrationLease(db, clock())
    if (catalogue) return [{ catalogue }]
    const unwanted = await unwantedClaim(db)
    return unwanted ? [{ unwanted }] : []
  },
  async work(item, isClosing) {
    if ('unwanted' in item) await cancelUnwanted(dependencies, item.unwanted)
    else if (await crawlCatalogue(dependencies, item.catalogue, isClosing))
      await renewSubscription(dependencies, item.catalogue.id)
    return undefined
  },
})
