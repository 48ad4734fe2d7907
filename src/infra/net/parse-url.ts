/**
 * Most characters of user, host and port. A host name has at most 253, and each may be written with several characters.
 */
const LONGEST_AUTHORITY = 1_000

/** Follows the WHATWG URL parser: it accepts any number of slashes or backslashes, and ignores tabs and line ends. */
const AUTHORITY = /^[^:]*:[/\\\t\n\r]*([^/\\?#]*)/

/**
 * Parses a URL from an untrusted source; null when it is none. `URL.parse` normalizes a host name before it checks the
 * length, and thousands of combining marks take hundreds of milliseconds.
 */
export const parseUrl = (text: string): URL | null => (isAuthorityTooLong(text) ? null : URL.parse(text))

/** Whether user, host and port are too long for a valid URL. */
export const isAuthorityTooLong = (text: string): boolean =>
  (AUTHORITY.exec(text)?.[1] ?? '').length > LONGEST_AUTHORITY
