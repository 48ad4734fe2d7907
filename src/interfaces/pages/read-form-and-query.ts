import { ProtocolError } from '../../protocol/errors.ts'

/** The maximum number of fields in a form. All forms of this server have far fewer fields. */
const MOST_FIELDS = 1_000

export function readForm(body: string): URLSearchParams {
  if (body.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    throw new ProtocolError('content_too_large', `A form may have ${MOST_FIELDS} fields at most.`)
  return withoutNul(body)
}

export const readQuery = (url: string): URLSearchParams => withoutNul(url.split('?', 2)[1] ?? '')

/** Decodes a form or query string. Removes NUL characters, because PostgreSQL rejects them in text and in JSON. */
const withoutNul = (encoded: string) =>
  new URLSearchParams([...new URLSearchParams(encoded)].map(([name, text]) => [name, text.replaceAll('\0', '')]))

/**
 * Returns the first `most` characters of a text. If the cut splits a surrogate pair (one character in two parts), the
 * function also removes the remaining half.
 */
export const truncated = (most: number, text: string): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
