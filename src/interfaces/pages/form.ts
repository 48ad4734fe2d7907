import { ProtocolError } from '../../protocol/errors.ts'

/** No form of ours has nearly as many. */
const MOST_FIELDS = 1_000

/** What a browser sent. */
export function readForm(body: string): URLSearchParams {
  if (body.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    throw new ProtocolError('content_too_large', `A form may have ${MOST_FIELDS} fields at most.`)
  return storable(body)
}

/** What the address of a page says after its path. */
export const readQuery = (url: string): URLSearchParams => storable(url.split('?', 2)[1] ?? '')

/** The database takes no NUL character, nor could JSON with one in it be searched any more. */
const storable = (encoded: string) =>
  new URLSearchParams([...new URLSearchParams(encoded)].map(([name, text]) => [name, text.replaceAll('\0', '')]))

/** So much of a text as there is room for, the last character whole. */
export const upTo = (most: number, text: string): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
