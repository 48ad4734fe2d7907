import { readMoment } from '../../domain/availability/query-range.ts'
import { DAY, MINUTE } from '../../infra/time/units.ts'
import { dateIn, daysLater, firstInstantOf, written } from '../../infra/time/zone.ts'

/** A week, with the day it begins on; and as many days as are explained at once. */
const USUAL_DAYS = 6

/** Without an offset it is the clock of the business, which a model that has none goes by. */
const LOCAL = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/

export const moment = (description: string) => ({
  ...{ type: 'string', maxLength: 40, description },
  anyOf: [{ format: 'date' }, { format: 'date-time' }, { pattern: LOCAL.source }],
})

interface Range {
  from: string
  to: string
  /** Up to where it is said why nothing is free. */
  explained: string
}

/** From when to when is meant, each as a day or with its offset. */
export function rangeOf(given: { from?: string; to?: string }, zone: string, now: Date): Range {
  const from = given.from === undefined ? written(zone, now.getTime()) : onClock(given.from, zone)
  const usual = laterThan(from, zone)
  const until = given.to === undefined ? usual : onClock(given.to, zone)
  const to = until === from ? justAfter(from, zone) : until
  return { from, to, explained: sooner(to, usual) }
}

/** What somebody writes who looks at the clock of the business, with its offset. */
const onClock = (text: string, zone: string): string =>
  LOCAL.test(text) ? written(zone, firstInstantOf(zone, Date.parse(`${text}Z`))) : text

/** A day for a day, a moment for a moment. */
const laterThan = (from: string, zone: string): string =>
  /t/i.test(from) ? dateIn(zone, readMoment('from', from) + USUAL_DAYS * DAY) : daysLater(from, USUAL_DAYS)

/** One moment is a minute, in which something may begin; a day is a day. */
const justAfter = (moment: string, zone: string): string =>
  /t/i.test(moment) ? written(zone, readMoment('from', moment) + MINUTE) : moment

/** Whichever is earlier; a day and a moment are near enough to each other. */
const sooner = (one: string, other: string): string => (Date.parse(other) < Date.parse(one) ? other : one)
