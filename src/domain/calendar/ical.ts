import { stamp } from '../../infra/time/stamp.ts'
import { isEmail } from '../../infra/util/email-address.ts'
import { plainText } from '../../infra/util/plain-text.ts'

/**
 * Writes RFC 5545. A line is a string that is already safe: whatever people wrote comes in through `text` and
 * `address`, which leave nothing in it that ends a line or begins a property.
 */
const LONGEST_LINE = 75

/** A property of text. */
export const text = (name: string, value: string): string => `${name}:${escaped(value)}`

/** A property of an instant, in UTC. */
export const instant = (name: string, at: Date): string => `${name}:${stamp(at)}`

/** A property that is an address; none when the text is no address. */
export function address(name: string, value: string, parameters: Record<string, string> = {}): string[] {
  if (!URL.canParse(value)) return []
  const written = Object.entries({ VALUE: 'URI', ...parameters }).map(([key, one]) => `;${key}=${quotedIfNeeded(one)}`)
  // Written anew: what cannot stand in an address is percent-encoded.
  return [`${name}${written.join('')}:${new URL(value).href}`]
}

/** Somebody with a mail address; nobody when it could not stand in a line. */
export function person(
  name: string,
  { name: called, email }: Person,
  parameters: Record<string, string> = {},
): string[] {
  if (!isEmail(email)) return []
  const given = { ...(called !== '' && { CN: called }), ...parameters }
  const written = Object.entries(given).map(([key, one]) => `;${key}=${quotedIfNeeded(one)}`)
  return [`${name}${written.join('')}:mailto:${email}`]
}

export interface Person {
  name: string
  email: string
}

/** The whole file. */
export const written = (lines: readonly string[]): string => lines.map((line) => `${folded(line)}\r\n`).join('')

const escaped = (value: string) =>
  plainText(value)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** RFC 6868 for what cannot stand between quotes. */
const quotedIfNeeded = (value: string) =>
  /^[\w/-]+$/.test(value)
    ? value
    : `"${plainText(value).replaceAll('^', '^^').replaceAll('"', "^'").replaceAll('\n', '^n')}"`

/** No line is longer than it may be in octets; no character is cut in two. */
function folded(line: string): string {
  const octets = Buffer.from(line)
  const parts: string[] = []
  for (let from = 0; from < octets.length || from === 0; ) {
    // What follows the first begins with the space that marks it.
    let to = Math.min(octets.length, from + LONGEST_LINE - (from > 0 ? 1 : 0))
    while (isWithinCharacter(octets[to])) to--
    parts.push(octets.toString('utf8', from, to))
    from = Math.max(to, 1)
  }
  return parts.join('\r\n ')
}

const isWithinCharacter = (octet = 0) => octet >> 6 === 0b10
