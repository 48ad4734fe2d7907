import type { Localizer } from '../../infra/i18n/localizer.ts'
import { daysLater } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { chooser, hidden } from '../pages/form-inputs.ts'
import { columnsForm, type HiddenColumns } from './hidden-day-columns.ts'

export interface DayBarState {
  date: string
  today: string
  view?: 'week'
  /** The id of the person or room whose week the page shows. Undefined if the page shows all people and rooms. */
  person?: string
  bookingToMove?: string
}

export function dayBar(
  state: DayBarState,
  definition: BusinessDefinition | undefined,
  hiddenColumns: HiddenColumns,
  localizer: Localizer,
): Content {
  const { date, today, view, person, bookingToMove } = state
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
  const other = view === 'week' ? { date } : { date, view: 'week' }
  return html`<div class="week">
<a class="button plain before" href="${to(daysLater(date, -step))}"><span>${say(before)}</span></a>
${date !== today && html`<a class="button plain" href="${bookingToMove || view ? to(today) : '/desk'}">${say('desk.today')}</a>`}
<a class="button plain after" href="${to(daysLater(date, step))}"><span>${say(after)}</span></a>
${!bookingToMove && html`<a class="button plain" href="/desk?${queryOf(other)}">${say(view === 'week' ? 'desk.day' : 'desk.week')}</a>`}
<form method="get" action="/desk">${hidden({ view, put: bookingToMove })}<label for="date">${say('desk.day')}</label><input id="date" type="date" name="date" value="${date}">${view === 'week' && people(definition, person, localizer)}<button class="plain">${say('desk.day.show')}</button></form>
${!bookingToMove && html`<button type="button" class="plain" data-needed data-print>${say('desk.print')}</button>`}</div>
${!bookingToMove && !person && definition && columnsForm(definition, hiddenColumns, queryOf({ date, view }), localizer)}`
}

const people = ({ resources = [] }: Partial<BusinessDefinition> = {}, person: string | undefined, { say }: Localizer) =>
  chooser({
    name: 'with',
    label: say('book.with'),
    options: [['', say('desk.week.all')], ...resources.map(({ id, name }) => [id, name] as const)],
    chosen: [person],
  })
