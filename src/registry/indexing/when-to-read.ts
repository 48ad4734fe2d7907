import { DAY, HOUR, MINUTE } from '../../time/units.ts'

const FIRST_WAIT = 5 * MINUTE
/** A feed that is longer than what is read in one go is read on after this. */
const BREATH = 10 * MINUTE

const later = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/** For as long as the business takes its answer to be good, but at most every hour and at least every day. */
export const nextReading = (maxAge: number, now: Date): Date => later(now, Math.min(DAY, Math.max(HOUR, maxAge * 1000)))

export const nextPages = (now: Date): Date => later(now, BREATH)

/** The longer it fails, the less often it is tried; as long as it asks to be left alone, up to a day, it is. */
export const nextAfterFailure = (failures: number, retryAfter = 0, now: Date): Date =>
  later(now, Math.min(DAY, Math.max(FIRST_WAIT * 2 ** (failures - 1), retryAfter * 1000)))
