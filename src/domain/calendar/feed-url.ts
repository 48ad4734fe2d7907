/** Outside the paths of the operations, because a calendar program is not a platform. */
export const FEED_PATH = '/calendar/:token.ics'

/** The URL is secret: it grants read access to the calendar. */
export const feedUrl = (baseUrl: string, token: string): string => baseUrl + FEED_PATH.replace(':token', token)
