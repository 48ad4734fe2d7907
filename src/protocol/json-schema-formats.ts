import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isAuthorityTooLong } from '../infra/net/parse-url.ts'
import { isEmail, LONGEST_EMAIL } from '../infra/util/email-address.ts'
import { memoize } from '../infra/util/memoize.ts'
import { asRecord } from '../infra/util/object-members.ts'
import { canonical } from './parse-json-safely.ts'

/**
 * The formats that a schema may name, each with its maximum length. The server checks the length first, because some
 * format checks parse the whole text.
 */
const longestText = {
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

type Check = (text: string) => boolean

export function formatOf(name: FormatName): Check {
  const fits = name === 'email' ? isEmail : testOf(fullFormats[name])
  return (text) => text.length <= longestText[name] && !(name === 'uri' && isAuthorityTooLong(text)) && fits(text)
}

function testOf(format: (typeof fullFormats)[FormatName]): Check {
  if (format instanceof RegExp) return (text) => format.test(text)
  if (typeof format === 'function') return (text) => format(text) === true
  const { validate } = asRecord(format)
  if (typeof validate !== 'function') throw new Error('A format that cannot be asked')
  return (text) => validate(text) === true
}

/** Caches the results of the `date-time` format check, because many answers contain the same timestamps. */
function memoized(fits: Check): Check {
  const known = memoize(MOST_INSTANTS, fits)
  return (text) => text.length <= longestText['date-time'] && known(text)
}

/** Maps the name of each JSON Schema format to its check. The validators call the checks by these names. */
export const formats = Object.fromEntries(
  formatNames.map((name) => [name, name === 'date-time' ? memoized(formatOf(name)) : formatOf(name)]),
)

/** Whether no item of a list occurs twice. The check takes linear time, also for long lists. */
export const hasUniqueItems = (items: unknown[]): boolean => new Set(items.map(canonical)).size === items.length
