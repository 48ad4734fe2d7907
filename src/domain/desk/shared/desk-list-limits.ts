export const BOOKING_PAGE = { usual: 50, most: 200 }
export const ENTRY_PAGE = { usual: 50, most: 200 }
export const BLOCK_PAGE = { usual: 50, most: 200 }
export const CHANGES_PAGE = { usual: 50, most: 200 }
/** The desk lists at most this many mails, and at most this many events, for one booking. */
export const MAX_NOTIFICATIONS = 100
/** The desk lists at most this many failed mails, and at most this many failed event deliveries. */
export const GIVEN_UP_MOST = 50
/** The inbox counts each kind of item up to this number. */
export const INBOX_MOST = 100
/** How long before its end a waitlist offer appears in the inbox, in seconds. */
export const LAPSING_SECONDS = 3600
export const CUSTOMERS_MOST = 30
export const DESK_CURSOR_SECONDS = 24 * 3600
export const SESSION_DAYS = 92
/**
 * Limits of the takings report. `days`: one request covers at most this many days. `sums`: one answer contains at most
 * this many sums.
 */
export const TAKINGS = { days: 366, sums: 10_000 }
/** How many days a report covers. `usual`: the number if the request names no first day. `most`: the limit. */
export const REPORT_DAYS = { usual: 28, most: 400 }
/**
 * To resolve an absence, one unit of work changes at most this many bookings, including those of canceled classes.
 * Other requests wait for the locks of this unit of work.
 */
export const MOST_CLEARED = 50
