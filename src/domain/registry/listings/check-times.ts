import { DAY, HOUR } from '../../../infra/time/units.ts'

/** Failed looks in a row after which a business is taken to be gone; by then more than a day has passed. */
const MOST_FAILURES = 6

/** A valid profile is looked at again about a day later, not those of all businesses at once. */
export const afterSuccess = (now: Date): Date => new Date(now.getTime() + DAY * (0.9 + 0.2 * Math.random()))

/** One that was not is looked at after one hour, then two, four and so on, at the latest after a day. */
export const afterFailure = (now: Date, failures: number): Date =>
  new Date(now.getTime() + Math.min(DAY, HOUR * 2 ** (failures - 1)))

export const isGone = (failures: number): boolean => failures >= MOST_FAILURES
