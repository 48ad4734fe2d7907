import type { Announcements } from '../../../core/jobs/announcements.ts'
import type { Running } from '../../../core/jobs/loop.ts'
import { startWorker, type Work, workAll } from '../../../core/jobs/worker.ts'
import type { Means } from '../../../protocol/means.ts'
import { hasRegistry } from '../../../protocol/served-capabilities.ts'
import { type Due, registrationTake } from './index-queries.ts'
import { readCatalogue } from './read-catalogue.ts'
import { cancelUnwanted, keepSubscribed } from './subscribe.ts'
import { type Unwanted, unwantedTake } from './subscription-queries.ts'

type Needs = Means<'db' | 'config' | 'clock' | 'log' | 'business' | 'signingBox'>
/** A catalogue to crawl or, if none is due, a subscription to cancel. */
type Item = { catalogue: Due } | { unwanted: Unwanted }

const AT_ONCE = 4
/** Milliseconds between polls for items that fall due without a notification. */
const POLLED_EVERY_MS = 2_000

export const startIndexer = (means: Needs, announcements: Announcements): Running =>
  startWorker(means, indexing(means), { every: POLLED_EVERY_MS, announced: { announcements, channel: 'registry' } })

/** Processes one item at a time until none is due: catalogues first, then subscriptions to cancel. */
export const readDue = (means: Needs, { isClosing }: { isClosing?: () => boolean } = {}): Promise<void> =>
  workAll(means, { ...indexing(means), atOnce: 1 }, isClosing)

const indexing = (means: Needs): Work<Item> => ({
  name: 'indexing',
  atOnce: AT_ONCE,
  idOf: (item) =>
    'catalogue' in item ? item.catalogue.id : `${item.unwanted.endpoint} ${item.unwanted.subscription_id}`,
  async take() {
    const { db, clock, business } = means
    if (!hasRegistry(await business.get())) return []
    const catalogue = await registrationTake(db, clock())
    if (catalogue) return [{ catalogue }]
    const unwanted = await unwantedTake(db)
    return unwanted ? [{ unwanted }] : []
  },
  async work(item, isClosing) {
    if ('unwanted' in item) await cancelUnwanted(means, item.unwanted)
    else if (await readCatalogue(means, item.catalogue, isClosing)) await keepSubscribed(means, item.catalogue.id)
    return undefined
  },
})
