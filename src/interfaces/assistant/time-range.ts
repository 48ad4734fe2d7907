import { readMoment } from '../../domain/availability/query-range.ts'
import { DAY, MINUTE } from '../../infra/time/units.ts'
import { dateIn, daysLater, firstInstantOf, rfc3339 } from '../../infra/time/zone.ts'

/** The range without a `to`: seven days with the first one. `explain_availability` accepts the same number of days. */
const USUAL_DAYS = 6

/** A time without an offset is local time of the business. Models without a clock write times this way. */
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
  /** End of the part of the range that is explained when nothing is free. */
  explained: string
}

/** Parses the requested range. Each end is a date, or a time with its offset. */
export function rangeOf(input: { from?: string; to?: string }, zone: string, now: Date): Range {
  const from = input.from === undefined ? rfc3339(zone, now.getTime()) : withOffset(input.from, zone)
  const usual = defaultEnd(from, zone)
  const until = input.to === undefined ? usual : withOffset(input.to, zone)
  const to = until === from ? widenedEnd(from, zone) : until
  return { from, to, explained: earlierOf(to, usual) }
}

/** Adds the offset of the business to a local time. */
const withOffset = (text: string, zone: string): string =>
  LOCAL.test(text) ? rfc3339(zone, firstInstantOf(zone, Date.parse(`${text}Z`))) : text

/** Keeps the form of the input: a date gives a date. */
const defaultEnd = (from: string, zone: string): string =>
  /t/i.test(from) ? dateIn(zone, readMoment('from', from) + USUAL_DAYS * DAY) : daysLater(from, USUAL_DAYS)

/** Makes an empty range useful: a time covers one minute, a date covers its day. */
const widenedEnd = (moment: string, zone: string): string =>
  /t/i.test(moment) ? rfc3339(zone, readMoment('from', moment) + MINUTE) : moment

/** The earlier end. Comparing a date with a time is inexact, which is good enough here. */
const earlierOf = (one: string, other: string): string => (Date.parse(other) < Date.parse(one) ? other : one)
