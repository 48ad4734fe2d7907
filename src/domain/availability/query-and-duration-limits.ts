import { DAY } from '../../infra/time/time-units.ts'

export const SLOT_PAGE = { usual: 50, most: 200 }
export const SLOT_CURSOR_SECONDS = 15 * 60
/** The most days in one availability query, if the business definition sets no other limit. */
export const MAX_QUERY_DAYS = 31
/**
 * Limits when the server explains why a request finds no free time. `days`: the most days that it explains. `before`:
 * the days before the requested range that it searches for an earlier time. `listed`: the most alternative times of
 * each kind.
 */
export const EXPLAIN_LIMITS = { days: 7, before: 7, listed: 3 }
/**
 * The longest booking horizon in milliseconds: five years. It is limited because a search for a free time may check
 * every bookable day.
 */
export const MAX_ADVANCE_MS = 1_830 * DAY
/** The longest duration of a booking. It is limited because the server checks each day of a booking. */
export const MAX_DURATION_MS = 400 * DAY
export const SEARCH_AHEAD_MS = 92 * DAY
export const HOLD_MINUTES = 10
/** Minutes that a hold of an assistant lasts if the buyer does not open its link. */
export const UNOPENED_MINUTES = 5
/**
 * Assistants hold slots behind links that buyers must open. Of a service's places on one day, unopened links of the
 * last hour may reserve at most this share.
 */
export const UNOPENED_SHARE = 1 / 4
/** The most live holds of one buyer, or of one key that no profile publishes, on one service. */
export const MAX_LIVE_HOLDS = 3
/**
 * Holds that may end without a booking in ten minutes before the caller must wait. `principal` is the limit of one
 * caller. `address` is the common limit of all callers at one network address.
 */
export const FREE_RELEASES = { principal: 5, address: 30 }
