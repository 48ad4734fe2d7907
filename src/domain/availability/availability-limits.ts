import { DAY } from '../../infra/time/time-units.ts'

export const SLOT_PAGE = { usual: 50, most: 200 }
export const SLOT_CURSOR_SECONDS = 15 * 60
/** One availability query covers at most this many days, if the business definition sets no other limit. */
export const MAX_QUERY_DAYS = 31
/**
 * Limits for the operation that explains why a request finds no free time. The request covers at most `days` days. The
 * server looks for an earlier time in the last `before` days before the request. The answer lists at most `listed`
 * times of each kind.
 */
export const EXPLAIN_LIMITS = { days: 7, before: 7, listed: 3 }
/**
 * Buyers can book at most this many milliseconds ahead (five years). The limit exists because a search for a free time
 * may check every bookable day.
 */
export const MAX_ADVANCE_MS = 1_830 * DAY
/**
 * A booking has at most this duration, in milliseconds. The limit exists because the server checks each day of a
 * booking.
 */
export const MAX_DURATION_MS = 400 * DAY
export const SEARCH_AHEAD_MS = 92 * DAY
export const HOLD_MINUTES = 10
/** How many minutes the hold of an AI assistant lasts, if the buyer does not open its link. */
export const UNOPENED_MINUTES = 5
/**
 * AI assistants place holds, and send each buyer a link to the hold. Holds from the last hour with unopened links
 * reserve at most this share of the places of a service on one day.
 */
export const UNOPENED_SHARE = 1 / 4
/**
 * A buyer can have at most this many active holds on one service. The same limit applies to a caller whose key no
 * platform publishes.
 */
export const MAX_LIVE_HOLDS = 3
/**
 * A caller must wait after releasing more than this many holds without a booking within ten minutes. `principal` is the
 * limit for one caller. `address` is the shared limit for all callers without bookings at one network address.
 */
export const FREE_RELEASES = { principal: 5, address: 30 }
