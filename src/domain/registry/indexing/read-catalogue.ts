import { setTimeout as pass } from 'node:timers/promises'
import type { Means } from '../../../protocol/means.ts'
import { type FeedPage, FeedProblem, feedPage } from './feed-page.ts'
import { type Due, indexedPrune, type Outcome, type Progress, readingEnd } from './index-queries.ts'
import { nextAfterFailure, nextPageReading, nextReading } from './next-reading.ts'
import { lasting, type Reading, storePage } from './store-page.ts'

/** Pages and milliseconds of one crawl. A slow business must not delay the others. */
const MOST_PAGES = 40
const MOST_TIME = 20_000
/** Milliseconds between two pages, to spare the server of the business. */
const PAUSE = 50

/** Updates the index from the catalogue of a business, starting at the stored cursor. Returns whether it succeeded. */
export async function readCatalogue(
  means: Means<'db' | 'config' | 'clock' | 'log'>,
  due: Due,
  isClosing: () => boolean,
): Promise<boolean> {
  const { db, clock, config } = means
  const from = due.feed_cursor === null ? beginning(clock()) : { cursor: due.feed_cursor, since: due.reading_since }
  let reading: Reading = {
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
    if (due.endpoint === null) throw new FeedProblem('The business does not answer over REST.')
    const until = clock().getTime() + MOST_TIME
    const isOver = () => isClosing() || clock().getTime() >= until
    for (let pages = 0; pages < MOST_PAGES && page?.hasMore !== false && !isOver(); pages++) {
      if (pages > 0) await pass(PAUSE)
      const answer = await feedPage(due.endpoint, reading.cursor, config)
      if (answer === 'expired' || (answer.status === 'rebuilding' && !reading.since)) {
        reading = { ...reading, ...beginning(clock()), isPartial: false }
        if (restarts++ > 0) throw new FeedProblem('The feed forgets how far it was read.')
        continue
      }
      page = answer
      const kept = await storePage(db, reading, page, clock())
      if (!kept) return false
      reading = kept
    }
    await finish(means, reading, page, isClosing())
    return true
  } catch (error) {
    await giveUp(means, reading, error)
    return false
  }
}

const beginning = (now: Date): Progress => ({ cursor: null, since: now })

async function finish(
  { db, clock }: Means<'db' | 'clock'>,
  reading: Reading,
  page: FeedPage | undefined,
  isClosing: boolean,
) {
  const { due, since, isPartial } = reading
  const now = clock()
  const isWhole = page?.hasMore === false && !(since && isPartial)
  const outcome: Outcome = {
    ...lasting(reading),
    ...(isWhole && { since: null }),
    indexedAt: isWhole ? now : undefined,
    problem: problemOf(reading),
    failures: 0,
    nextAt: isClosing ? now : page?.hasMore === false ? nextReading(page.maxAge, now) : nextPageReading(now),
  }
  await db.transaction().execute(async (tx) => {
    if ((await readingEnd(tx, due, outcome)) && isWhole && since) await indexedPrune(tx, due.id, since)
  })
}

async function giveUp({ db, clock, log }: Means<'db' | 'clock' | 'log'>, reading: Reading, error: unknown) {
  const { due } = reading
  const isTheirs = error instanceof FeedProblem
  if (!isTheirs)
    log.error({ err: error, registration: due.id }, 'The catalogue of a listed business could not be indexed.')
  const failures = due.index_failures + 1
  await readingEnd(db, due, {
    ...lasting(reading),
    indexedAt: undefined,
    problem: isTheirs ? error.message : 'The catalogue could not be indexed.',
    failures,
    nextAt: nextAfterFailure(failures, isTheirs ? error.retryAfter : undefined, clock()),
  })
}

function problemOf({ items, unreadable, isPartial, isCapped }: Reading): string | null {
  const problems = [
    ...(unreadable > 0 ? [`${unreadable} of ${items} items of the feed are no valid services.`] : []),
    ...(isPartial ? ['The feed says that it is not complete.'] : []),
    ...(isCapped
      ? ['There are more services than are indexed of one business, or more places where they are to be had.']
      : []),
  ]
  return problems.join(' ') || null
}
