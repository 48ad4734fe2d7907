import { DAY } from '../../infra/time/time-units.ts'

export const SLOT_PAGE = { usual: 50, most: 200 }
export const SLOT_CURSOR_SECONDS = 15 * 60
/** One availability query covers at most this many days, if the business definition sets no other limit. */
export const MAX_QUERY_DAYS = 31
/**
 * Limits of the explanation why a request finds no free time. `days`: the explanation covers at most this many days.
 * `before`: the server searches this many days before the requested range for an earlier time. `listed`: the
 * explanation lists at most this many alternative times of each kind.
 */
export const EXPLAIN_LIMITS = { days: 7, before: 7, listed: 3 }
/**
 * A booking horizon is at most this long, in milliseconds: five years. The limit exists because a search for a free
 * time may check every bookable day.
 */
export const MAX_ADVANCE_MS = 1_830 * DAY
/**
 * A booking is at most this long, in milliseconds. The limit exists because the server checks each day of a booking.
 */
export const MAX_DURATION_MS = 400 * DAY
export const SEARCH_AHEAD_MS = 92 * DAY
export const HOLD_MINUTES = 10
/** How long a hold that an assistant placed lasts, in minutes, if the buyer does not open its link. */
export const UNOPENED_MINUTES = 5
/**
 * Assistants place holds, and send buyers a link to each hold. Holds with unopened links of the last hour reserve at
 * most this share of a service's places on one day.
 */
export const UNOPENED_SHARE = 1 / 4
/**
 * One buyer, or one caller whose key no platform profile publishes, can have at most this many active holds on one
 * service.
 */
export const MAX_LIVE_HOLDS = 3
/**
 * How many holds can end without a booking in ten minutes before the caller must wait. `principal` is the limit of one
 * caller. `address` is the common limit of all callers at one network address.
 */
export const FREE_RELEASES = { principal: 5, address: 30 }
