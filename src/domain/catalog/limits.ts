export const LOOKUP_MOST = 200
export const LIST_PAGE = { usual: 20, most: 100 }
export const FEED_PAGE = { usual: 50, most: 200 }

/** A list is browsed within minutes; a feed position is kept by indexers for as long as they like. */
export const LIST_CURSOR_SECONDS = 60 * 60
export const FEED_CURSOR_SECONDS = Number.POSITIVE_INFINITY

/** How long a catalogue answer may be kept by whoever asked. */
export const CACHE_SECONDS = 60
