export const BOOKING_PAGE = { usual: 50, most: 200 }
export const ENTRY_PAGE = { usual: 50, most: 200 }
export const BLOCK_PAGE = { usual: 50, most: 200 }
export const CHANGES_PAGE = { usual: 50, most: 200 }
/** The desk page about one booking lists at most this many mails, and at most this many events. */
export const MAX_NOTIFICATIONS = 100
/** The desk lists at most this many failed mails, and at most this many failed event deliveries. */
export const GIVEN_UP_MOST = 50
/** The desk lists at most this many charges that the staff must return by hand. */
export const UNRETURNED_MOST = 50
/** The inbox of the staff counts each kind of item, such as failed mails, only up to this number. */
export const INBOX_MOST = 100
/** A waitlist offer appears in the inbox of the staff this many seconds before it ends. */
export const LAPSING_SECONDS = 3600
export const CUSTOMERS_MOST = 30
export const DESK_CURSOR_SECONDS = 24 * 3600
export const SESSION_DAYS = 92
/**
 * Limits of the takings report (the received money). A request covers at most `days` days, and an answer contains at
 * most `sums` rows.
 */
export const TAKINGS = { days: 366, sums: 10_000 }
/**
 * The number of days that a report covers. `usual` applies if the request names no first day. `most` is the upper
 * limit.
 */
export const REPORT_DAYS = { usual: 28, most: 400 }
/**
 * One request of the staff about an absence changes at most this many bookings, including the bookings of canceled
 * classes. The number is small, because other requests must wait for the locks of these bookings.
 */
export const MOST_CLEARED = 50
