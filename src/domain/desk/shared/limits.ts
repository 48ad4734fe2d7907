export const BOOKING_PAGE = { usual: 50, most: 200 }
export const ENTRY_PAGE = { usual: 50, most: 200 }
export const BLOCK_PAGE = { usual: 50, most: 200 }
export const CHANGES_PAGE = { usual: 50, most: 200 }
/** Messages about one booking, of either kind. */
export const TOLD_MOST = 100
/** Messages that nobody received, of either kind. */
export const GIVEN_UP_MOST = 50
/** Further than this nothing in the inbox is counted. */
export const INBOX_MOST = 100
/** An offer that ends within so many seconds is in the inbox. */
export const LAPSING_SECONDS = 3600
export const CUSTOMERS_MOST = 30
export const DESK_CURSOR_SECONDS = 24 * 3600
/** Days that one list of classes may span. */
export const SESSION_DAYS = 92
/** Days that takings are summed up for at once, and sums that are answered. */
export const TAKINGS = { days: 366, sums: 10_000 }
/** Days that reports look at: for so many before today when none are said, and so many at once. */
export const REPORT_DAYS = { usual: 28, most: 400 }
/** Bookings, those of canceled classes included, that are decided on in one change: others wait for what it has locked. */
export const MOST_CLEARED = 50
