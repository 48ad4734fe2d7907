import { readMoment } from '../../domain/availability/query-range.ts'
import { DAY, MINUTE } from '../../infra/time/units.ts'
import { dateIn, daysLater, firstInstantOf, rfc3339 } from '../../infra/time/zone.ts'

/**
 * Days between the first and the last day of a range without `to`. The range then has seven days.
 * `explain_availability` accepts seven days as well.
 */
const USUAL_DAYS = 6

/**
 * Matches a time without an offset. The server reads the time as local time of the business. Models without a clock
 * write times in this form.
 */
const LOCAL = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/

export const momentInput = (description: string) => ({
  type: 'string',
  maxLength: 40,
  description,
  anyOf: [{ format: 'date' }, { format: 'date-time' }, { pattern: LOCAL.source }],
})

interface Range {
  from: string
  to: string
  /** End of the part of the range that the server explains if no time is free. */
  explained: string
}

/** Parses the requested range. Each end of the range is a date, or a time with its offset. */
export function rangeOf(input: { from?: string; to?: string }, zone: string, now: Date): Range {
  const from = input.from === undefined ? rfc3339(zone, now.getTime()) : withOffset(input.from, zone)
  const usual = defaultEnd(from, zone)
  const until = input.to === undefined ? usual : withOffset(input.to, zone)
  const to = until === from ? widenedEnd(from, zone) : until
  return { from, to, explained: earlierOf(to, usual) }
}

/** Adds the offset of the business to a time that has no offset. */
const withOffset = (text: string, zone: string): string =>
  LOCAL.test(text) ? rfc3339(zone, firstInstantOf(zone, Date.parse(`${text}Z`))) : text

/** The last day of a range without `to`, as a calendar day. */
const defaultEnd = (from: string, zone: string): string =>
  /t/i.test(from) ? dateIn(zone, readMoment('from', from) + USUAL_DAYS * DAY) : daysLater(from, USUAL_DAYS)

/** End of a range whose start equals its end. A time covers one minute, and a date covers its whole day. */
const widenedEnd = (moment: string, zone: string): string =>
  /t/i.test(moment) ? rfc3339(zone, readMoment('from', moment) + MINUTE) : moment

/**
 * The earlier of two ends. The comparison of a date with a time is inexact, which is good enough to choose the
 * explained part.
 */
const earlierOf = (one: string, other: string): string => (Date.parse(other) < Date.parse(one) ? other : one)
