export const BOOKING_PAGE = { usual: 50, most: 200 }
export const ENTRY_PAGE = { usual: 50, most: 200 }
export const BLOCK_PAGE = { usual: 50, most: 200 }
export const CHANGES_PAGE = { usual: 50, most: 200 }
/** The most mails, and the most events, that the desk lists for one booking. */
export const MAX_NOTIFICATIONS = 100
/** The most failed mails, and the most failed event deliveries, that the desk lists. */
export const GIVEN_UP_MOST = 50
/** The inbox counts each kind of item up to this number. */
export const INBOX_MOST = 100
/** A waitlist offer appears in the inbox this number of seconds before it ends. */
export const LAPSING_SECONDS = 3600
export const CUSTOMERS_MOST = 30
export const DESK_CURSOR_SECONDS = 24 * 3600
export const SESSION_DAYS = 92
/** Limits of the takings report. `days`: the most days in one request. `sums`: the most sums in one answer. */
export const TAKINGS = { days: 366, sums: 10_000 }
/** Days of a report. `usual`: the number of days if the request names no first day. `most`: the most days. */
export const REPORT_DAYS = { usual: 28, most: 400 }
/**
 * The most bookings that one unit of work changes to resolve an absence, including those of canceled classes. Other
 * requests wait for its locks.
 */
export const MOST_CLEARED = 50
