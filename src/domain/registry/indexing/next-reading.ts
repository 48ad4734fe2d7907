import { DAY, HOUR, MINUTE } from '../../../infra/time/units.ts'

const FIRST_WAIT = 5 * MINUTE
/** The pause after which a feed too long for one go is read on. */
const PAGE_PAUSE = 10 * MINUTE

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/** When the answer of the business is no longer fresh by its own word, but within an hour and a day. */
export const nextReading = (maxAge: number, now: Date): Date => after(now, Math.min(DAY, Math.max(HOUR, maxAge * 1000)))

export const nextPageReading = (now: Date): Date => after(now, PAGE_PAUSE)

/** Exponential back-off, and at least as long as the business asked for by Retry-After, up to a day. */
export const nextAfterFailure = (failures: number, retryAfter = 0, now: Date): Date =>
  after(now, Math.min(DAY, Math.max(FIRST_WAIT * 2 ** (failures - 1), retryAfter * 1000)))
