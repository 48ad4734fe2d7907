import { icsTimestamp } from '../../infra/time/time-zone.ts'
import { isEmail } from '../../infra/util/email-address.ts'
import { plainText } from '../../infra/util/plain-text.ts'

/**
 * A line in a calendar file has at most this many octets (RFC 5545). The functions `text`, `address` and `person` write
 * all texts that people entered. No such text can end a line and add a property of its own.
 */
const LONGEST_LINE = 75

export const text = (name: string, value: string): string => `${name}:${escaped(value)}`

export const instant = (name: string, at: Date): string => `${name}:${icsTimestamp(at)}`

/** The iCalendar line of a property with a URL. The result is empty if the value is not a valid URL. */
export function address(name: string, value: string, parameters: Record<string, string> = {}): string[] {
  if (!URL.canParse(value)) return []
  const written = Object.entries({ VALUE: 'URI', ...parameters }).map(([key, one]) => `;${key}=${quotedIfNeeded(one)}`)
  // The server parses the URL and writes it again, which replaces unsafe characters with percent codes.
  return [`${name}${written.join('')}:${new URL(value).href}`]
}

/** The iCalendar line of a property about a person. The result is empty if the email address is not valid. */
export function person(
  name: string,
  { name: called, email }: Person,
  parameters: Record<string, string> = {},
): string[] {
  if (!isEmail(email)) return []
  const allParameters = { ...(called !== '' && { CN: called }), ...parameters }
  const written = Object.entries(allParameters).map(([key, one]) => `;${key}=${quotedIfNeeded(one)}`)
  return [`${name}${written.join('')}:mailto:${email}`]
}

export interface Person {
  name: string
  email: string
}

export const written = (lines: readonly string[]): string => lines.map((line) => `${folded(line)}\r\n`).join('')

const escaped = (value: string) =>
  plainText(value)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/**
 * A parameter value of a calendar file, in quotes if necessary. RFC 6868 defines codes for characters that quotes
 * cannot contain.
 */
const quotedIfNeeded = (value: string) =>
  /^[\w/-]+$/.test(value)
    ? value
    : `"${plainText(value).replaceAll('^', '^^').replaceAll('"', "^'").replaceAll('\n', '^n')}"`

/** Splits a line with too many octets (bytes) into several lines, without splitting a character. */
function folded(line: string): string {
  const octets = Buffer.from(line)
  const parts: string[] = []
  for (let from = 0; from < octets.length || from === 0; ) {
    // Each line after the first begins with a space, which counts as one octet (byte).
    let to = Math.min(octets.length, from + LONGEST_LINE - (from > 0 ? 1 : 0))
    while (isWithinCharacter(octets[to])) to--
    parts.push(octets.toString('utf8', from, to))
    from = Math.max(to, 1)
  }
  return parts.join('\r\n ')
}

const isWithinCharacter = (octet = 0) => octet >> 6 === 0b10
