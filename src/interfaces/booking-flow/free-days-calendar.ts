import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { daysLater } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { FreeWeeks } from './find-weeks-to-show.ts'
import { type Choice, queryOf } from './visitor-choices.ts'

/** The page that contains a calendar: its texts (`localizer`) and its path. */
export interface CalendarPlace {
  localizer: Localizer
  /** The path of the page that shows the calendar. The default is the page of the service. */
  path?: string
}

/** A link in the calendar to earlier or later weeks. */
interface TurnLink {
  id: string
  sign: string
  label: string
  /** A day in the weeks that the calendar link opens, as `YYYY-MM-DD`. */
  to: string
  isThere: boolean
}

export function calendar(
  plan: Plan,
  choice: Choice,
  weeks: FreeWeeks,
  { localizer, path = `/book/${plan.service.id}` }: CalendarPlace,
): Content {
  const { say } = localizer
  const { from, count, days, hasEarlier, hasLater } = weeks
  const link = (change: Partial<Choice>) => `${path}?${queryOf(plan, choice, change)}`
  const turn = ({ id, sign, label, to, isThere }: TurnLink) =>
    isThere
      ? html`<a id="${id}" href="${link({ from: to, day: undefined })}" data-swap aria-label="${label}" rel="nofollow">${sign}</a>`
      : html`<span>${sign}</span>`
  const month = localizer.dates('UTC', { month: 'short' })
  const all = Array.from({ length: count }, (_, index) => daysLater(from, index))
  const rows = Array.from({ length: count / 7 }, (_, week) => all.slice(week * 7, week * 7 + 7))
  return html`<div class="weeks">${turn({ id: 'earlier', sign: '‹', label: say('book.weeks.earlier'), to: daysLater(from, -1), isThere: hasEarlier })}<h2 id="days">${localizer.months(`${from}/${daysLater(from, count - 1)}`)}</h2>${turn({ id: 'later', sign: '›', label: say('book.weeks.later'), to: daysLater(from, count), isThere: hasLater })}</div>
<table class="days" aria-labelledby="days"><thead><tr>${localizer.weekdays(new Date(from).getUTCDay()).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (week) => html`<tr>${week.map((date) => html`<td>${day(date)}</td>`)}</tr>
`,
  )}</tbody></table>
${[...days.values()].some(({ isFree }) => !isFree) && html`<p class="soft key"><span class="full"></span>${say('book.full_days')}</p>`}`

  function day(date: string): Content {
    const shown = localizer.number(Number(date.slice(8)))
    // The name of the month is only for sighted visitors. Screen readers read the label of each day, which contains the
    // month.
    const first = date.endsWith('-01') && html` data-month="${month.format(new Date(date))}"`
    const { isFree } = days.get(date) ?? {}
    if (isFree === undefined) return html`<span${first}>${shown}</span>`
    const name = localizer.day(date)
    return html`<a href="${link({ day: date })}#times" data-swap id="day-${date}" aria-label="${isFree ? name : say('book.full_day', { day: name })}" rel="nofollow"${!isFree && html` class="full"`}${date === choice.day && html` aria-current="date"`}${first}>${shown}</a>`
  }
}
