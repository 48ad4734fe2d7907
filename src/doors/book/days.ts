import type { Plan } from '../../availability/plan.ts'
import { type Content, html } from '../../basics/html.ts'
import { remember } from '../../basics/remember.ts'
import type { Speech } from '../../languages/speech.ts'
import { DAY } from '../../time/units.ts'
import { startOfDay } from '../../time/zone.ts'
import { type Choice, queryOf } from './choice.ts'
import { type FreeMonth, nextMonth, previousMonth } from './free-month.ts'

/** Where a calendar stands: the page that shows the chosen day. */
export interface CalendarPlace {
  speech: Speech
  /** Path of the page; that of the service when left out. */
  path?: string
}

/** The days of a month, each with free times a link to them. */
export function calendar(
  plan: Plan,
  choice: Choice,
  free: FreeMonth,
  { speech, path = `/book/${plan.service.id}` }: CalendarPlace,
): Content {
  const { say } = speech
  const { month, days, hasEarlier, hasLater } = free
  const link = (change: Partial<Choice>) => `${path}?${queryOf(plan, choice, change)}`
  const turn = (isThere: boolean, to: string, label: string, sign: string, id: string) =>
    isThere
      ? html`<a id="${id}" href="${link({ month: to, day: undefined })}" data-swap aria-label="${label}" rel="nofollow">${sign}</a>`
      : html`<span>${sign}</span>`
  const name = speech.dates('UTC', { month: 'long', year: 'numeric' }).format(new Date(`${month}-01T00:00:00Z`))
  const names = weekdayNames(speech)
  const long = speech.dates(plan.zone, { weekday: 'long', month: 'long', day: 'numeric' })
  const first = firstDayOf(speech.locale)
  return html`<div class="month">${turn(hasEarlier, previousMonth(month), say('book.month.previous'), '‹', 'previous-month')}<h2 id="days">${name}</h2>${turn(hasLater, nextMonth(month), say('book.month.next'), '›', 'next-month')}</div>
<table class="days" aria-labelledby="days"><thead><tr>${[0, 1, 2, 3, 4, 5, 6].map((index) => html`<th scope="col">${names[(first + index) % 7]}</th>`)}</tr></thead>
<tbody>${weeks(month, first).map(
    (week) => html`<tr>${week.map((date) => html`<td>${date && day(date)}</td>`)}</tr>
`,
  )}</tbody></table>`

  function day(date: string): Content {
    const number = speech.number(Number(date.slice(8)))
    if (!days.has(date)) return html`<span>${number}</span>`
    const label = long.format(new Date(startOfDay(plan.zone, date)))
    return html`<a href="${link({ day: date })}#times" data-swap id="day-${date}" aria-label="${label}" rel="nofollow"${date === choice.day && html` aria-current="date"`}>${number}</a>`
  }
}

declare global {
  namespace Intl {
    interface Locale {
      /** Newer than what TypeScript knows; Node has it. */
      getWeekInfo?(): { firstDay: number }
    }
  }
}

/** From Sunday on, as short as it takes to stand in a column. */
function weekdayNames(speech: Speech): string[] {
  const written = (weekday: 'short' | 'narrow') =>
    Array.from({ length: 7 }, (_, day) => speech.dates('UTC', { weekday }).format(new Date(A_SUNDAY + day * DAY)))
  const short = written('short')
  return short.some((name) => name.length > LONGEST_NAME) ? written('narrow') : short
}

const LONGEST_NAME = 5
const A_SUNDAY = Date.UTC(2026, 0, 4)

/** 0 is Sunday: on which day weeks begin where this is spoken. */
const firstDayOf = remember(64, (locale: string): number => {
  const { firstDay = 1 } = new Intl.Locale(locale).getWeekInfo?.() ?? {}
  return firstDay % 7
})

/** The days of the month in rows of seven; undefined before its first and after its last. */
function weeks(month: string, first: number): (string | undefined)[][] {
  const [start, end] = [Date.parse(`${month}-01`), Date.parse(`${nextMonth(month)}-01`)]
  const before = (new Date(start).getUTCDay() - first + 7) % 7
  const count = Math.ceil((before + (end - start) / DAY) / 7)
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const at = start + (week * 7 + weekday - before) * DAY
      return at < start || at >= end ? undefined : new Date(at).toISOString().slice(0, 10)
    }),
  )
}
