import { book } from '../../domain/desk/bookings/create-booking.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { daysLater } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { chooser, hidden } from '../pages/form-inputs.ts'
import { icon } from '../pages/icons.ts'
import { type Density, densityForm } from './calendar-density.ts'
import { type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { columnsForm, type HiddenColumns } from './hidden-day-columns.ts'

export interface DayBarState {
  title: string
  /** A shorter heading for phones. */
  shortTitle?: string
  date: string
  today: string
  view?: 'week'
  /** The id of the person or room whose week the page shows. Undefined if the page shows all people and rooms. */
  person?: string
  bookingToMove?: string
  density: Density
}

/** The toolbar of the calendar: the heading, the links to other days and views, and the link to a new booking. */
export function dayBar(
  state: DayBarState,
  definition: BusinessDefinition | undefined,
  hiddenColumns: HiddenColumns,
  { who, request: { localizer } }: DeskRequest,
): Content {
  const { title, shortTitle, date, today, view, person, bookingToMove, density } = state
  const { say } = localizer
  const step = view === 'week' ? 7 : 1
  const [before, after] =
    view === 'week'
      ? (['desk.week.before', 'desk.week.after'] as const)
      : (['desk.day.before', 'desk.day.after'] as const)
  const carriedQuery = { view, put: bookingToMove, with: person }
  const queryOf = (more: Record<string, string | undefined>) =>
    String(new URLSearchParams(Object.entries(more).flatMap(([name, value]) => (value ? [[name, value]] : []))))
  const to = (day: string) => `/desk?${queryOf({ date: day, ...carriedQuery })}`
  const stepLink = (day: string, name: 'previous' | 'next', text: string) =>
    html`<a class="button plain icon-only step" href="${to(day)}">${icon(name)}<span class="sr">${text}</span></a>`
  const viewLink = (one: 'week' | undefined, text: string) =>
    html`<a href="/desk?${queryOf({ date, view: one })}"${one === view && html` aria-current="page"`}>${text}</a>`
  return html`<div class="toolbar">
<h1>${shortTitle === undefined ? title : html`<span class="wide-text">${title}</span><span class="phone-text">${shortTitle}</span>`}</h1>
${stepLink(daysLater(date, -step), 'previous', say(before))}
${date !== today && html`<a class="button plain today" href="${bookingToMove || view ? to(today) : '/desk'}">${say('desk.today')}</a>`}
${stepLink(daysLater(date, step), 'next', say(after))}
<form class="day-form" method="get" action="/desk">${hidden({ view, put: bookingToMove })}<label class="sr" for="date">${say('desk.day')}</label><input id="date" type="date" name="date" value="${date}">${view === 'week' && people(definition, person, localizer)}<button class="plain">${say('desk.day.show')}</button></form>
<span class="push"></span>
${!bookingToMove && html`<div class="switch">${viewLink(undefined, say('desk.day'))}${viewLink('week', say('desk.week'))}</div>`}
${!bookingToMove && !person && definition && columnsForm(definition, hiddenColumns, queryOf({ date, view }), localizer)}
${!bookingToMove && densityForm(density, queryOf({ date, view, with: person }), localizer)}
${!bookingToMove && html`<button type="button" class="plain icon-only" data-needed data-print>${icon('print')}<span class="sr">${say('desk.print')}</span></button>`}
${!bookingToMove && isAllowed(who, book) && html`<a class="button wide-only" href="/desk/book?${queryOf({ date })}">${icon('add')}${say('desk.book')}</a>`}</div>`
}

const people = ({ resources = [] }: Partial<BusinessDefinition> = {}, person: string | undefined, { say }: Localizer) =>
  chooser({
    name: 'with',
    label: say('book.with'),
    options: [['', say('desk.week.all')], ...resources.map(({ id, name }) => [id, name] as const)],
    chosen: [person],
  })
