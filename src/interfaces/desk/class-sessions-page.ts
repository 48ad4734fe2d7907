import { zoneOf } from '../../core/business/definition-facts.ts'
import { listSessions } from '../../domain/desk/hours/list-class-sessions.ts'
import { clockRange, dayText } from '../../infra/i18n/format-times.ts'
import { dateIn, daysLater } from '../../infra/time/time-zone.ts'
import { html } from '../../infra/util/html-template.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './call-operation-as-staff.ts'
import type { DeskView } from './desk-page.ts'
import { readDay } from './local-time-input.ts'

const DAYS = 7

export async function classesPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView> {
  const { localizer } = deskRequest.request
  const { say } = localizer
  const zone = await zoneOf(dependencies)
  const date = readDay(query.get('date')) ?? dateIn(zone, dependencies.clock().getTime())
  const week = { start_date: date, end_date: daysLater(date, DAYS - 1) }
  const answer = await callAsStaff(listSessions, week, deskRequest, dependencies)
  const sessions = answer.refusal ? [] : answer.result.sessions
  const names = new Map((await dependencies.business.get())?.services.map(({ id, name }) => [id, name]))
  const at = (days: number) => `/desk/classes?date=${daysLater(date, days)}`
  return {
    status: 200,
    title: say('desk.classes'),
    who: deskRequest.who,
    place: 'classes',
    body: html`<div class="week"><a class="button plain" href="${at(-DAYS)}">${say('desk.week.before')}</a>
<a class="button plain" href="${at(DAYS)}">${say('desk.week.after')}</a></div>
${sessions.length === 0 && html`<p class="note">${say('desk.classes.none')}</p>`}
${[...Map.groupBy(sessions, ({ start }) => dayText(localizer, new Date(start), zone))].map(
  ([day, sessionsOfDay]) => html`<h2>${day}</h2><ul class="steps">
${sessionsOfDay.map(
  (
    one,
  ) => html`<li><a href="/desk/classes/${one.id}"><strong>${names.get(one.service_id) ?? one.service_id}</strong><br>
${clockRange(localizer, one, zone)} · ${one.taken}/${one.capacity}${one.status !== 'open' && html` · <span class="soft">${say(`desk.class.${one.status}`)}</span>`}</a></li>
`,
)}</ul>
`,
)}`,
  }
}
