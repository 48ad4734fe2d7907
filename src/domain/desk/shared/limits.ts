export const BOOKING_PAGE = { usual: 50, most: 200 }
export const ENTRY_PAGE = { usual: 50, most: 200 }
export const BLOCK_PAGE = { usual: 50, most: 200 }
export const CHANGES_PAGE = { usual: 50, most: 200 }
/** Messages about one booking, for mails and events each. */
export const MAX_NOTIFICATIONS = 100
/** Failed messages, for mails and events each. */
export const GIVEN_UP_MOST = 50
/** The inbox counts each kind up to this number. */
export const INBOX_MOST = 100
/** The inbox contains offers that end within this time. */
export const LAPSING_SECONDS = 3600
export const CUSTOMERS_MOST = 30
export const DESK_CURSOR_SECONDS = 24 * 3600
export const SESSION_DAYS = 92
/** Days in one request, and sums in its answer. */
export const TAKINGS = { days: 366, sums: 10_000 }
/** Days of a report: the default, and the limit. */
export const REPORT_DAYS = { usual: 28, most: 400 }
/** Bookings in one unit of work, including those of canceled classes. Other requests wait for its locks. */
export const MOST_CLEARED = 50
