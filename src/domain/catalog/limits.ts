export const LOOKUP_MOST = 200
export const LIST_PAGE = { usual: 20, most: 100 }
export const FEED_PAGE = { usual: 50, most: 200 }

/** Callers page through a list within minutes. Indexers store a feed position without any time limit. */
export const LIST_CURSOR_SECONDS = 60 * 60
export const FEED_CURSOR_SECONDS = Number.POSITIVE_INFINITY

/** How long callers may cache a catalogue response. */
export const CACHE_SECONDS = 60
