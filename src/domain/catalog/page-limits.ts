export const LOOKUP_MOST = 200
export const LIST_PAGE = { usual: 20, most: 100 }
export const FEED_PAGE = { usual: 50, most: 200 }

/**
 * How long a list cursor is valid, in seconds. Callers read the pages of a list within minutes. Feed cursors have no
 * time limit, because indexers store their position in the feed.
 */
export const LIST_CURSOR_SECONDS = 60 * 60
export const FEED_CURSOR_SECONDS = Number.POSITIVE_INFINITY

/** Callers may cache an answer of the catalogue for this number of seconds. */
export const CACHE_SECONDS = 60
