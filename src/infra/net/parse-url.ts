/** Characters of what names a host, with somebody before it: a name has 253, and each may be written with several. */
const LONGEST_AUTHORITY = 1_000

/** As URLs are read: however many slashes there are, and whichever way they lean; tabs and ends of lines are not there. */
const AUTHORITY = /^[^:]*:[/\\\t\n\r]*([^/\\?#]*)/

/**
 * A URL that somebody else wrote; nothing where it is none. Marks in the name of a host are put in order before it is known to be too
 * long, and thousands of them take hundreds of milliseconds.
 */
export const parseUrl = (text: string): URL | null => (namesTooMuch(text) ? null : URL.parse(text))

/** What names a host so lengthily names none. */
export const namesTooMuch = (text: string): boolean => (AUTHORITY.exec(text)?.[1] ?? '').length > LONGEST_AUTHORITY
