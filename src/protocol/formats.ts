import type { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isAuthorityTooLong } from '../infra/net/parse-url.ts'
import { asRecord } from '../infra/util/as-record.ts'
import { isEmail, LONGEST_EMAIL } from '../infra/util/email-address.ts'
import { memoize } from '../infra/util/memoize.ts'

/**
 * The formats that a schema may name, with the longest text of each. Longer texts are refused before the format check,
 * because some checks parse a text before they look at its length.
 */
export const longestText = {
  date: 10,
  'date-time': 64,
  duration: 100,
  email: LONGEST_EMAIL,
  uri: 65_536,
  'uri-reference': 65_536,
} as const

type FormatName = keyof typeof longestText

export const formatNames = Object.keys(longestText) as FormatName[]

const MOST_INSTANTS = 10_000

export function addBoundedFormats(ajv: Ajv2020) {
  for (const name of formatNames) ajv.addFormat(name, name === 'date-time' ? memoized(formatOf(name)) : formatOf(name))
}

export function formatOf(name: FormatName): (text: string) => boolean {
  const fits = name === 'email' ? isEmail : testOf(addFormats.default.get(name))
  return (text) => text.length <= longestText[name] && !(name === 'uri' && isAuthorityTooLong(text)) && fits(text)
}

function testOf(format: ReturnType<typeof addFormats.default.get>): (text: string) => boolean {
  if (format instanceof RegExp) return (text) => format.test(text)
  if (typeof format === 'function') return (text) => format(text) === true
  const { validate } = asRecord(format)
  if (typeof validate !== 'function') throw new Error('A format that cannot be asked')
  return (text) => validate(text) === true
}

/** Answers contain many instants, and most of them repeat from one answer to the next. */
function memoized(fits: (text: string) => boolean): (text: string) => boolean {
  const known = memoize(MOST_INSTANTS, fits)
  return (text) => text.length <= longestText['date-time'] && known(text)
}
