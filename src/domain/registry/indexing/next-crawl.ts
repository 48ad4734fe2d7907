import { DAY, HOUR, MINUTE } from '../../../infra/time/units.ts'

const FIRST_WAIT = 5 * MINUTE
/** Pause before the crawl of a long feed continues. */
const PAGE_PAUSE = 10 * MINUTE

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/** When the answer of the business stops being fresh: after an hour at least, a day at most. */
export const nextCrawl = (maxAge: number, now: Date): Date => after(now, Math.min(DAY, Math.max(HOUR, maxAge * 1000)))

export const nextPageCrawl = (now: Date): Date => after(now, PAGE_PAUSE)

/** Exponential backoff, at least the Retry-After of the business, at most a day. */
export const nextAfterFailure = (failures: number, retryAfter = 0, now: Date): Date =>
  after(now, Math.min(DAY, Math.max(FIRST_WAIT * 2 ** (failures - 1), retryAfter * 1000)))
