import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { dateIn, rfc3339 } from '../../infra/time/time-zone.ts'
import { memoize } from '../../infra/util/memoize.ts'
import { oneLine } from '../../infra/util/plain-text.ts'

const LONGEST_NAME = 100

/**
 * Puts quotation marks around a text from the business or another person. The quotation marks tell an AI model that the
 * text is not an instruction.
 */
export const quoted = (text: string, most = LONGEST_NAME): string =>
  most === LONGEST_NAME && text.length <= LONGEST_NAME ? nameInQuotes(text) : inQuotes(text, most)

/** Puts quotation marks around a name. Caches the results, because answers repeat the same names many times. */
const nameInQuotes = memoize(1_000, (name: string): string => inQuotes(name, LONGEST_NAME))

function inQuotes(text: string, most: number): string {
  const line = oneLine(text).replace(/[“”]/g, '"')
  return `“${line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line}”`
}

/**
 * Shortens a text from the business or another person, without quotation marks. The structured part (`data`) of a tool
 * result contains such texts.
 */
export const shortened = (text: string, most: number): string => quoted(text, most).slice(1, -1)

/**
 * Formats a time range, such as `Tuesday 2026-12-01 09:00–10:00`. If the range ends on another day, the text contains
 * the date of the end too.
 */
export function whenText(zone: string, start: number, end: number): string {
  const [from, to] = [rfc3339(zone, start), rfc3339(zone, end)]
  const until = from.slice(0, DATE) === to.slice(0, DATE) ? clockOf(to) : `${weekdayIn(zone, end)} ${momentOf(to)}`
  return `${weekdayIn(zone, start)} ${momentOf(from)}–${until}`
}

const DATE = 'YYYY-MM-DD'.length
const clockOf = (instant: string) => instant.slice(DATE + 1, DATE + 'Thh:mm'.length)
const momentOf = (instant: string) => `${instant.slice(0, DATE)} ${clockOf(instant)}`

export const weekdayIn = (zone: string, instant: number): string => weekdayOf(dateIn(zone, instant))

/** Returns the English weekday of a date. Caches the results, because many times are on the same day. */
const weekdayOf = memoize(1_000, (date: string): string =>
  englishLocalizer().dates('UTC', { weekday: 'long' }).format(new Date(date)),
)

/** Formats an instant, such as `Tuesday 2026-12-01 09:00`. */
export const momentText = (zone: string, instant: number): string =>
  `${weekdayIn(zone, instant)} ${momentOf(rfc3339(zone, instant))}`

/**
 * Returns the id and the shortened name of a person, room, item or location. The structured part (`data`) of a tool
 * result contains this pair.
 */
export const idAndName = ({ id, name }: { id: string; name: string }) => ({ id, name: shortened(name, LONGEST_NAME) })

export const placeName = (place: { name: string } | undefined) =>
  place && { place: shortened(place.name, LONGEST_NAME) }

export const withText = (all: readonly { name?: string | undefined }[]): string =>
  `with ${all.map(({ name = '' }) => quoted(name)).join(' and ')}`

export const lines = (...all: (string | false | undefined)[]): string =>
  all.filter((one) => one !== undefined && one !== false).join('\n')
