export const LOOKUP_MOST = 200
export const LIST_PAGE = { usual: 20, most: 100 }
export const FEED_PAGE = { usual: 50, most: 200 }

/**
 * A cursor (the position of the next page) of a list is valid for this many seconds. Callers read the pages of a list
 * within minutes. A cursor of the catalogue feed never expires, because callers store it to read later changes.
 */
export const LIST_CURSOR_SECONDS = 60 * 60
export const FEED_CURSOR_SECONDS = Number.POSITIVE_INFINITY

/** Callers may cache an answer about the catalogue (the list of services) for this number of seconds. */
export const CACHE_SECONDS = 60
