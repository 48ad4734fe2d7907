/** Below the origin, not among the operations: a calendar program is no platform. */
export const FEED_PATH = '/calendar/:token.ics'

/** Whoever knows it may read the calendar. */
export const feedUrl = (baseUrl: string, token: string): string => baseUrl + FEED_PATH.replace(':token', token)
