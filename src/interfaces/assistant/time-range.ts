import { readMoment } from '../../domain/availability/read-query-range.ts'
import { DAY, MINUTE } from '../../infra/time/time-units.ts'
import { dateIn, daysLater, firstInstantOf, rfc3339 } from '../../infra/time/time-zone.ts'

/**
 * If a search has no end, its last day is this number of days after its first day. The search then covers seven days,
 * which is the maximum of the operation `explain_availability`.
 */
const USUAL_DAYS = 6

/**
 * A regular expression for a time without a UTC offset, such as `2026-12-24T17:00`. AI models often write times without
 * an offset. The server reads them as local times of the business.
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
  /** The end of the time range for which the answer explains why no time is free. */
  explained: string
}

/** Parses the time range that an assistant requests. Each end is a date, or a time with or without a UTC offset. */
export function rangeOf(input: { from?: string; to?: string }, zone: string, now: Date): Range {
  const from = input.from === undefined ? rfc3339(zone, now.getTime()) : withOffset(input.from, zone)
  const usual = defaultEnd(from, zone)
  const until = input.to === undefined ? usual : withOffset(input.to, zone)
  const to = until === from ? widenedEnd(from, zone) : until
  return { from, to, explained: earlierOf(to, usual) }
}

/** Adds the UTC offset of the business to a time without an offset. */
const withOffset = (text: string, zone: string): string =>
  LOCAL.test(text) ? rfc3339(zone, firstInstantOf(zone, Date.parse(`${text}Z`))) : text

/** Returns the end of a time range if the caller gave only the start `from`. */
const defaultEnd = (from: string, zone: string): string =>
  /t/i.test(from) ? dateIn(zone, readMoment('from', from) + USUAL_DAYS * DAY) : daysLater(from, USUAL_DAYS)

/**
 * Returns the end of a time range if the requested start and end are equal. Two equal times mean one minute, and two
 * equal dates mean the whole day.
 */
const widenedEnd = (moment: string, zone: string): string =>
  /t/i.test(moment) ? rfc3339(zone, readMoment('from', moment) + MINUTE) : moment

/**
 * Returns the earlier of two ends of a time range. The comparison of a date with a time is not exact, but the
 * explanation of an empty search needs no exact end.
 */
const earlierOf = (one: string, other: string): string => (Date.parse(other) < Date.parse(one) ? other : one)
