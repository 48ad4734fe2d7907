import { setTimeout as pass } from 'node:timers/promises'
import { DAY, HOUR, MINUTE } from '../../../infra/time/time-units.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { FeedError, type FeedPage, feedPage } from './read-feed-page.ts'
import {
  type CrawlResult,
  crawlEnd,
  type DueBusiness,
  indexedPrune,
  type Progress,
  registryStateLock,
} from './search-index-queries.ts'
import { type Crawl, progressToStore, storePage } from './store-feed-page.ts'

/**
 * One crawl (one pass through the catalogue of a business) ends after `MOST_PAGES` pages or `MOST_TIME` milliseconds.
 * Therefore a slow business does not delay the crawls of other businesses.
 */
const MOST_PAGES = 40
const MOST_TIME = 20_000
/** A crawl waits this many milliseconds between two pages. The pause limits the load on the server of the business. */
const PAUSE = 50

/**
 * Reads the catalogue feed of a business from the stored cursor (the position where the last crawl stopped) on, and
 * updates the search index. Returns true if the crawl succeeded.
 */
export async function crawlCatalogue(
  dependencies: Dependencies<'db' | 'config' | 'clock' | 'log'>,
  due: DueBusiness,
  isClosing: () => boolean,
): Promise<boolean> {
  const { db, clock, config } = dependencies
  const from = due.feed_cursor === null ? startOfCrawl(clock()) : { cursor: due.feed_cursor, since: due.reading_since }
  let reading: Crawl = {
    ...from,
    due,
    items: 0,
    unreadable: 0,
    isPartial: false,
    isCapped: false,
    vocabulary: new Set(),
  }
  let page: FeedPage | undefined
  let restarts = 0
  try {
    if (due.endpoint === null) throw new FeedError('The business does not answer over REST.')
    const until = clock().getTime() + MOST_TIME
    const isOver = () => isClosing() || clock().getTime() >= until
    for (let pages = 0; pages < MOST_PAGES && page?.hasMore !== false && !isOver(); pages++) {
      if (pages > 0) await pass(PAUSE)
      const answer = await feedPage(due.endpoint, reading.cursor, config)
      if (answer === 'expired' || (answer.status === 'rebuilding' && !reading.since)) {
        reading = { ...reading, ...startOfCrawl(clock()), isPartial: false }
        if (restarts++ > 0) throw new FeedError('The feed rejects the cursors that it issued.')
        continue
      }
      page = answer
      const stored = await storePage(db, reading, page, clock())
      if (!stored) return false
      reading = stored
    }
    await finish(dependencies, reading, page, isClosing())
    return true
  } catch (error) {
    await recordFailure(dependencies, reading, error)
    return false
  }
}

const startOfCrawl = (now: Date): Progress => ({ cursor: null, since: now })

async function finish(
  { db, clock }: Dependencies<'db' | 'clock'>,
  reading: Crawl,
  page: FeedPage | undefined,
  isClosing: boolean,
) {
  const { due, since, isPartial } = reading
  const now = clock()
  const isWhole = page?.hasMore === false && !(since && isPartial)
  const outcome: CrawlResult = {
    ...progressToStore(reading),
    ...(isWhole && { since: null }),
    indexedAt: isWhole ? now : undefined,
    problem: problemOf(reading),
    failures: 0,
    nextAt: isClosing ? now : page?.hasMore === false ? nextCrawl(page.maxAge, now) : nextPageCrawl(now),
  }
  await db.transaction().execute(async (tx) => {
    if (!(await crawlEnd(tx, due, outcome)) || !isWhole || !since) return
    await registryStateLock(tx)
    await indexedPrune(tx, due.id, since)
  })
}

async function recordFailure({ db, clock, log }: Dependencies<'db' | 'clock' | 'log'>, reading: Crawl, error: unknown) {
  const { due } = reading
  const isTheirs = error instanceof FeedError
  if (!isTheirs)
    log.error({ err: error, registration: due.id }, 'The catalogue of a listed business could not be indexed.')
  const failures = due.index_failures + 1
  await crawlEnd(db, due, {
    ...progressToStore(reading),
    indexedAt: undefined,
    problem: isTheirs ? error.message : 'The catalogue could not be indexed.',
    failures,
    nextAt: nextAfterFailure(failures, isTheirs ? error.retryAfter : undefined, clock()),
  })
}

function problemOf({ items, unreadable, isPartial, isCapped }: Crawl): string | null {
  const problems = [
    ...(unreadable > 0 ? [`${unreadable} of ${items} items of the feed are not valid services.`] : []),
    ...(isPartial ? ['The feed says that it is not complete.'] : []),
    ...(isCapped ? ['The catalogue has more services or locations than are indexed for one business.'] : []),
  ]
  return problems.join(' ') || null
}

const FIRST_WAIT = 5 * MINUTE
/**
 * If a crawl stops before the end of the catalogue feed, the directory continues the crawl after this many
 * milliseconds.
 */
const PAGE_PAUSE = 10 * MINUTE

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/**
 * The shortest and the longest time between two crawls of a catalogue, in milliseconds. Between these limits, the
 * business chooses.
 */
export const CRAWL_WAIT = { least: HOUR, most: DAY }

/**
 * Computes the time of the next crawl of a business. The directory waits as long as the business says that its last
 * answer stays fresh. The wait is at least an hour and at most a day.
 */
const nextCrawl = (maxAge: number, now: Date): Date =>
  after(now, Math.min(CRAWL_WAIT.most, Math.max(CRAWL_WAIT.least, maxAge * 1000)))

const nextPageCrawl = (now: Date): Date => after(now, PAGE_PAUSE)

/**
 * Computes the time of the next crawl after a failure. The wait begins at five minutes and doubles with each failure.
 * If the business asks for a longer wait (header `Retry-After`), the directory waits longer. The wait is never more
 * than a day.
 */
const nextAfterFailure = (failures: number, retryAfter = 0, now: Date): Date =>
  after(now, Math.min(DAY, Math.max(FIRST_WAIT * 2 ** (failures - 1), retryAfter * 1000)))
