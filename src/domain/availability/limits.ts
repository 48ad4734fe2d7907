import { DAY } from '../../infra/time/units.ts'

export const SLOT_PAGE = { usual: 50, most: 200 }
export const SLOT_CURSOR_SECONDS = 15 * 60
/** The most days in one availability query, if the business definition sets no other limit. */
export const MAX_QUERY_DAYS = 31
/**
 * Limits of the explanation of a request without free times. `days`: the most days that the server explains. `before`:
 * the days before the range that the server searches for an earlier time. `listed`: the most times for each kind of
 * alternative.
 */
export const EXPLAIN_LIMITS = { days: 7, before: 7, listed: 3 }
/**
 * The longest booking horizon in milliseconds: five years. The search for a free time may check every bookable day and
 * find none.
 */
export const MAX_ADVANCE_MS = 1_830 * DAY
/** The longest duration of a booking. The limit exists because the server checks each day of the duration. */
export const MAX_DURATION_MS = 400 * DAY
export const SEARCH_AHEAD_MS = 92 * DAY
export const HOLD_MINUTES = 10
/** Minutes that the hold of an assistant lasts if the buyer does not open the link. */
export const UNOPENED_MINUTES = 5
/** The share of a service's places on one day that unopened assistant links of the last hour may reserve. */
export const UNOPENED_SHARE = 1 / 4
/** The most live holds on one service, for one buyer or for a key that no profile publishes. */
export const MAX_LIVE_HOLDS = 3
/**
 * Holds that callers may release without a booking in ten minutes, before the next hold must wait. `principal`:
 * releases by one caller. `address`: releases by all callers without a booking at one network address.
 */
export const FREE_RELEASES = { principal: 5, address: 30 }
