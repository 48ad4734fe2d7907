import { DAY, HOUR } from '../../../infra/time/units.ts'

/** Failed checks in a row before a business counts as gone. By then more than a day has passed. */
const MOST_FAILURES = 6

/** About a day later. The random part spreads the checks of all businesses. */
export const afterSuccess = (now: Date): Date => new Date(now.getTime() + DAY * (0.9 + 0.2 * Math.random()))

/** After one hour, then two, four and so on, at most a day. */
export const afterFailure = (now: Date, failures: number): Date =>
  new Date(now.getTime() + Math.min(DAY, HOUR * 2 ** (failures - 1)))

export const isGone = (failures: number): boolean => failures >= MOST_FAILURES
