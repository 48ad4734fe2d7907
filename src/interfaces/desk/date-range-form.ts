import type { Localizer } from '../../infra/i18n/localizer.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { daysLater } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { weekOf, weekStartOf } from '../booking-flow/calendar-weeks.ts'
import { readDay } from './local-time-input.ts'

/** A range of calendar days. The last day belongs to the range. */
export interface DayRange {
  start_date?: string
  end_date?: string
}

/** Reads a range of days from the query string. Ignores invalid days. */
export function readRange(query: URLSearchParams): DayRange {
  const [start, end] = [readDay(query.get('from')), readDay(query.get('to'))]
  return { ...(start !== undefined && { start_date: start }), ...(end !== undefined && { end_date: end }) }
}

/**
 * A function for the `catch` method of a promise. Returns undefined if the server refused a range of days as invalid or
 * too long. Throws all other errors again.
 */
export function ignoreInvalidRange(error: unknown): undefined {
  if (!(error instanceof ProtocolError && ['range_too_wide', 'validation_error'].includes(error.code))) throw error
}

export const daysIn = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1

export const rangeForm = (
  path: string,
  { from, to }: { from: string; to: string },
  { say }: Localizer,
): Content => html`<form method="get" action="${path}" class="inline days">
<div><label for="from">${say('desk.away.from')}</label><input id="from" type="date" name="from" value="${from}"></div>
<div><label for="to">${say('desk.away.to')}</label><input id="to" type="date" name="to" value="${to}"></div>
<button class="plain">${say('desk.day.show')}</button></form>`

interface LinkedRange {
  from: string
  to: string
  today: string
}

/**
 * Links to other ranges of days: the usual ranges, and the previous and the next range with the same number of days. If
 * the current range ends today or later, there is no link to the next range.
 */
export function otherRanges(path: string, { from, to, today }: LinkedRange, localizer: Localizer): Content {
  const { say } = localizer
  const many = daysIn(from, to)
  const link = (start: string, end: string, label: string) =>
    html`<a class="button plain" href="${path}?from=${start}&amp;to=${end}"${start === from && end === to && html` aria-current="true"`}>${label}</a>
`
  return html`<div class="week">${usualRanges(today, localizer.locale).map(([name, start, end]) => link(start, end, say(name)))}
${link(daysLater(from, -many), daysLater(to, -many), say('desk.week.before'))}
${to < today && link(daysLater(from, many), daysLater(to, many), say('desk.week.after'))}</div>`
}

/** The ranges of days that staff need most. The first weekday depends on the language. */
function usualRanges(today: string, locale: string) {
  const week = weekOf(today, weekStartOf(locale))
  const month = firstOfMonth(today)
  const lastMonth = firstOfMonth(daysLater(month, -1))
  const nextMonth = firstOfMonth(daysLater(month, LONGEST_MONTH))
  return [
    ['desk.today', today, today],
    ['desk.reports.this_week', week, daysLater(week, 6)],
    ['desk.reports.this_month', month, daysLater(nextMonth, -1)],
    ['desk.reports.last_month', lastMonth, daysLater(month, -1)],
  ] as const
}

const LONGEST_MONTH = 31

const firstOfMonth = (date: string): string => `${date.slice(0, 'YYYY-MM'.length)}-01`
