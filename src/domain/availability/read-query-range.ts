import { DAY } from '../../infra/time/time-units.ts'
import { daysLater, isZone, startOfDay } from '../../infra/time/time-zone.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Span } from './time-spans.ts'

/**
 * The first and the last year that a query may contain. The server refuses other dates, because computations with them
 * are slow.
 */
const YEARS = { first: 1970, last: 2200 }

export const momentSchema = (description: string) => ({
  type: 'string',
  anyOf: [{ format: 'date' }, { format: 'date-time' }],
  description,
})

export const timezoneSchema = {
  type: 'string',
  description:
    "IANA time zone of the days in the request and of the times in the answer; the business's own when left out.",
}

export const partySizeSchema = { type: 'integer', minimum: 1, default: 1, description: 'The number of people.' }

/**
 * Converts the dates of an availability query to instants. A date without a time means the whole day in the time zone
 * `zone`. A date with a time is exact to the millisecond.
 */
export function queryRange(from: string, to: string, zone: string, mostDays: number): Span {
  if (!isZone(zone)) throw invalid('timezone', `${zone} is not an IANA time zone such as America/New_York.`)
  refuseUnreadable('start_date', from)
  refuseUnreadable('end_date', to)
  const start = isDay(from) ? startOfDay(zone, from) : momentOf(from)
  const end = isDay(to) ? startOfDay(zone, daysLater(to, 1)) : momentOf(to)
  if (isDay(to) ? end <= start : end < start) throw invalid('end_date', 'It lies before start_date.')
  // A day has 25 hours when the clocks go back. Therefore the range may be three hours longer than `mostDays` days of
  // 24 hours.
  if (end - start > mostDays * DAY + DAY / 8)
    throw new ProtocolError('range_too_wide', `Ask for at most ${mostDays} days at a time.`, {
      errors: [{ field: 'end_date', message: `lies more than ${mostDays} days after start_date` }],
    })
  return [start, end]
}

export function readMoment(field: string, text: string): number {
  refuseUnreadable(field, text)
  return momentOf(text)
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

/**
 * Whether the text is a date-time of RFC 3339. The format check of the JSON schema also accepts other texts, such as an
 * offset without a colon.
 */
const isMoment = (text: string) => /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text)

/**
 * Parses a date-time of RFC 3339, which may contain a leap second. JavaScript has no leap seconds, so the function
 * treats second 60 as second 59.
 */
const momentOf = (text: string) => Date.parse(text.replace(':60', ':59'))

function refuseUnreadable(field: string, text: string): void {
  if (!isDay(text) && !isMoment(text))
    throw invalid(field, 'It must be a date such as 2026-03-15, or a date-time such as 2026-03-15T09:00:00-04:00.')
  const year = Number(text.slice(0, 4))
  if (year < YEARS.first || year > YEARS.last)
    throw invalid(field, `Its year must be from ${YEARS.first} to ${YEARS.last}.`)
}

const invalid = (field: string, message: string) =>
  new ProtocolError('validation_error', message, { errors: [{ field, message }] })
