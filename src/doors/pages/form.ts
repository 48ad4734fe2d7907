import { ProtocolError } from '../../protocol/errors.ts'

/** No form of ours has nearly as many. */
const MOST_FIELDS = 1_000

/** What a browser sent. With a NUL character in it the JSON it is kept in could not be searched any more. */
export function readForm(body: string): URLSearchParams {
  if (body.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    throw new ProtocolError('content_too_large', `A form may have ${MOST_FIELDS} fields at most.`)
  return new URLSearchParams([...new URLSearchParams(body)].map(([name, text]) => [name, text.replaceAll('\0', '')]))
}

/** So much of a text as there is room for, the last character whole. */
export const upTo = (most: number, text: string): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
