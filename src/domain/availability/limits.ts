import { DAY } from '../../infra/time/units.ts'

export const SLOT_PAGE = { usual: 50, most: 200 }
export const SLOT_CURSOR_SECONDS = 15 * 60
/** Upper bound of days per query, unless the definition of the business sets another. */
export const MAX_QUERY_DAYS = 31
/**
 * `days`: upper bound of the explained range. `before`: days to search for an earlier time. `listed`: upper bound of
 * listed times per kind.
 */
export const EXPLAIN_LIMITS = { days: 7, before: 7, listed: 3 }
/** Upper bound for a duration. The server checks each day of a duration for each of its times. */
export const MAX_DURATION_MS = 400 * DAY
export const SEARCH_AHEAD_MS = 92 * DAY
export const HOLD_MINUTES = 10
/** How long an assistant's hold lasts before the buyer opens the link. */
export const UNOPENED_MINUTES = 5
/** Share of a service's places on one day that unopened links of the last hour may hold. */
export const UNOPENED_SHARE = 1 / 4
/** Upper bound of live holds per service for one buyer, or for a key that no profile publishes. */
export const MAX_LIVE_HOLDS = 3
/**
 * Releases within ten minutes before the next hold has to wait: of one principal, and of all principals without a booking
 * from one network address.
 */
export const FREE_RELEASES = { principal: 5, address: 30 }
