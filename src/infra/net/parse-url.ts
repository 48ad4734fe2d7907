/**
 * The maximum number of characters of the user, host and port in a URL. A host name has at most 253 characters, but a
 * URL can encode one character as several characters.
 */
const LONGEST_AUTHORITY = 1_000

/**
 * Matches the part of a URL with user, host and port, like the standard URL parser (WHATWG). The standard parser
 * accepts any number of slashes or backslashes, and ignores tabs and line ends.
 */
const AUTHORITY = /^[^:]*:[/\\\t\n\r]*([^/\\?#]*)/

/**
 * Parses a URL from an untrusted sender. Returns null if the text is not a URL. Checks the length of the host first,
 * because `URL.parse` would normalize a long host, which can take hundreds of milliseconds.
 */
export const parseUrl = (text: string): URL | null => (isAuthorityTooLong(text) ? null : URL.parse(text))

/** Whether the user, host and port of a URL together are too long for a valid URL. */
export const isAuthorityTooLong = (text: string): boolean =>
  (AUTHORITY.exec(text)?.[1] ?? '').length > LONGEST_AUTHORITY
