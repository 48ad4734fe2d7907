/**
 * The most characters of user, host and port in a URL. A host name has at most 253 characters, and each of them may be
 * written with several characters.
 */
const LONGEST_AUTHORITY = 1_000

/**
 * Matches the part of a URL with user, host and port, as the WHATWG URL parser finds it. The parser accepts any number
 * of slashes or backslashes, and ignores tabs and line ends.
 */
const AUTHORITY = /^[^:]*:[/\\\t\n\r]*([^/\\?#]*)/

/**
 * Parses a URL from an untrusted source. Returns null if the text is no URL. A long host is refused first, because
 * `URL.parse` normalizes the host before it checks the length, and thousands of combining marks take hundreds of
 * milliseconds.
 */
export const parseUrl = (text: string): URL | null => (isAuthorityTooLong(text) ? null : URL.parse(text))

/** Whether the user, host and port of a URL are too long for a valid URL. */
export const isAuthorityTooLong = (text: string): boolean =>
  (AUTHORITY.exec(text)?.[1] ?? '').length > LONGEST_AUTHORITY
