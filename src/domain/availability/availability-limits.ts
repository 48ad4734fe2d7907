import { DAY } from '../../infra/time/time-units.ts'

export const SLOT_PAGE = { usual: 50, most: 200 }
export const SLOT_CURSOR_SECONDS = 15 * 60
/** If the business definition sets no other limit, one availability query covers at most this many days. */
export const MAX_QUERY_DAYS = 31
/**
 * Limits for the operation that explains why a service has no free time. The request covers at most `days` days. The
 * server looks for an earlier free time in the `before` days before the requested range. The answer lists at most
 * `listed` free times, and at most `listed` alternatives of each kind.
 */
export const EXPLAIN_LIMITS = { days: 7, before: 7, listed: 3 }
/**
 * The longest booking window that a service can state, in milliseconds (five years). A service without `max_advance` has
 * no such limit. But a search for a free time covers at most five years, because it may check each of their days.
 */
export const MAX_ADVANCE_MS = 1_830 * DAY
/**
 * A booking lasts at most this many milliseconds. The limit exists because the server checks each day of a booking,
 * which takes long for a very long booking.
 */
export const MAX_DURATION_MS = 400 * DAY
export const SEARCH_AHEAD_MS = 92 * DAY
export const HOLD_MINUTES = 10
/**
 * An AI assistant holds (reserves) a time for a buyer, and gives the buyer a link to a page. If the buyer does not open
 * the link, the hold ends after this many minutes.
 */
export const UNOPENED_MINUTES = 5
/**
 * AI assistants hold (reserve) times for buyers, and give each buyer a link. Holds of the last hour whose link nobody
 * has opened may use at most this share of a service's capacity on one day.
 */
export const UNOPENED_SHARE = 1 / 4
/**
 * The maximum number of active holds (short reservations) on one service for an ordinary caller, such as an AI
 * assistant. `maxHoldsOf` sets higher limits for platforms and for visitors of the booking pages.
 */
export const MAX_LIVE_HOLDS = 3
/**
 * A caller who releases more than this many holds (short reservations) in ten minutes must wait before the next hold.
 * Releases before the latest booking of the caller do not count. `principal` is the limit for one caller. `address` is
 * the shared limit for all callers without bookings in one network (a range of IP addresses).
 */
export const FREE_RELEASES = { principal: 5, address: 30 }
