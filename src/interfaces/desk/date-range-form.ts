import type { Localizer } from '../../infra/i18n/localizer.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { daysLater } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { ProtocolError } from '../../protocol/errors.ts'
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

/**
 * Links to the previous and the next range of days. These ranges have the same number of days as the current range. If
 * the current range ends today or later, there is no link to the next range.
 */
export function otherRanges(
  path: string,
  { from, to, today }: { from: string; to: string; today: string },
  { say }: Localizer,
): Content {
  const many = daysIn(from, to)
  const link = (by: number, label: string) =>
    html`<a class="button plain" href="${path}?from=${daysLater(from, by)}&amp;to=${daysLater(to, by)}">${label}</a>`
  return html`<div class="week">${link(-many, say('desk.week.before'))}
${to < today && link(many, say('desk.week.after'))}</div>`
}
