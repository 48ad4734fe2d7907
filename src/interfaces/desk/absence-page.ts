import { clearTime } from '../../domain/desk/away/clear-bookings-for-absence.ts'
import { listAffected } from '../../domain/desk/away/list-bookings-affected-by-absence.ts'
import { MOST_CLEARED } from '../../domain/desk/shared/desk-list-limits.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import { dateIn, daysLater, rfc3339, startOfDay } from '../../infra/time/time-zone.ts'
import { html } from '../../infra/util/html-template.ts'
import type { ClearTime } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import { truncated } from '../pages/read-form-and-query.ts'
import { type AbsenceTarget, findAbsenceTarget } from './absent-person-or-room.ts'
import { affectedList } from './affected-bookings-form.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { readDay, readLocalInput, toLocalInput } from './local-time-input.ts'

const MAX_CHARACTERS = { word: 2000, reason: 500 }

interface Absence {
  who: AbsenceTarget
  zone: string
  from: number
  to: number
}

/**
 * Shows the page about the absence of a staff member. The page lists the bookings and class sessions at that time. For
 * each of them, staff see contact data and choose an action, such as move or cancel.
 */
export async function awayPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  refusal?: Message,
): Promise<DeskView | undefined> {
  const { localizer } = deskRequest.request
  const { say } = localizer
  if (!isAllowed(deskRequest.who, clearTime)) return missingRolePage(clearTime, deskRequest)
  const absence = await absenceOf(query, dependencies)
  if (!absence) return undefined
  const { who, zone, from, to } = absence
  const answer = await callAsStaff(listAffected, inputOf(absence), deskRequest, dependencies)
  const problem = answer.refusal ? 'desk.away.shorter' : refusal
  const field = (name: string, label: Message, instant: number) =>
    html`<div><label for="${name}">${say(label)}</label><input id="${name}" type="datetime-local" name="${name}" value="${toLocalInput(zone, instant)}" required></div>`
  return {
    status: problem ? 409 : 200,
    title: who.name === undefined ? say('desk.blocks.everybody') : say('desk.away.with', { name: who.name }),
    who: deskRequest.who,
    body: html`${problem && html`<p class="note wrong" role="alert">${say(problem, { most: MOST_CLEARED })}</p>`}
<form method="post" action="/desk/away" class="affected">${hidden({ with: who.formValue })}
<div class="inline">${field('from', 'desk.away.from', from)}
${field('to', 'desk.away.to', to)}
<button class="plain" name="do" value="show" formnovalidate>${say('desk.day.show')}</button></div>
${
  !answer.refusal &&
  html`${affectedList(answer.result, { decisions: query, isAgain: refusal !== undefined, definition: await dependencies.business.get(), localizer })}
<label for="reason">${say('desk.away.why')}</label><input id="reason" name="reason" maxlength="${MAX_CHARACTERS.reason}" autocomplete="off" value="${query.get('reason') ?? ''}">
${answer.result.bookings.length + answer.result.sessions.length > 0 && html`<label for="word">${say('desk.away.word')}</label><input id="word" name="word" maxlength="${MAX_CHARACTERS.word}" autocomplete="off" value="${query.get('word') ?? ''}">`}
<button>${say('desk.away.do')}</button>`
}</form>`,
  }
}

/**
 * Carries out the staff's decisions about bookings during an absence, and redirects to the day view. The button "show"
 * only lists the bookings and class sessions in the entered interval.
 */
export async function submitAbsence(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  if (!isAllowed(deskRequest.who, clearTime)) return missingRolePage(clearTime, deskRequest)
  const absence = await absenceOf(form, dependencies)
  if (!absence) return undefined
  if (form.get('do') === 'show') return awayPage(form, deskRequest, dependencies)
  const reason = truncated(MAX_CHARACTERS.reason, form.get('reason')?.trim() ?? '')
  const time = inputOf(absence)
  const affected = await callAsStaff(listAffected, time, deskRequest, dependencies)
  if (affected.refusal) return awayPage(form, deskRequest, dependencies)
  // The user may have changed the start or end of the absence after the decisions. The server ignores decisions about
  // bookings outside the new interval.
  const { bookings, sessions } = affected.result
  const ids = new Set([...bookings, ...sessions].map(({ id }) => id))
  const input = { ...time, ...decisionsOf(form, ids), ...(reason !== '' && { reason }) }
  const answer = await callAsStaff(clearTime, input, deskRequest, dependencies)
  if (answer.refusal) return awayPage(form, deskRequest, dependencies, 'desk.away.changed')
  return { to: `/desk?date=${dateIn(absence.zone, absence.from)}` }
}

/**
 * Reads the start and end of an absence from the form or the query string. The default is the whole day. If the day is
 * today, the default is the rest of the day.
 */
async function absenceOf(query: URLSearchParams, dependencies: DeskDependencies): Promise<Absence | undefined> {
  const definition = await dependencies.business.get()
  const who = definition && findAbsenceTarget(definition, query.get('with') ?? '')
  if (!who) return undefined
  const zone = definition.business.timezone
  const now = Math.floor(dependencies.clock().getTime() / MINUTE) * MINUTE
  const today = dateIn(zone, now)
  const date = readDay(query.get('date')) ?? today
  return {
    who,
    zone,
    from: readLocalInput(zone, query.get('from') ?? '') ?? (date === today ? now : startOfDay(zone, date)),
    to: readLocalInput(zone, query.get('to') ?? '') ?? startOfDay(zone, daysLater(date, 1)),
  }
}

const inputOf = ({ who, zone, from, to }: Absence) => ({
  ...who.input,
  start: rfc3339(zone, from),
  end: rfc3339(zone, to),
})

/**
 * Reads the decisions about bookings and class sessions from the form. The name of each form field is the id of a
 * booking or class session. If a decision is missing, the operation refuses the call.
 */
function decisionsOf(
  form: URLSearchParams,
  ids: ReadonlySet<string>,
): Pick<ClearTime['input'], 'bookings' | 'sessions'> {
  const word = truncated(MAX_CHARACTERS.word, form.get('word')?.trim() ?? '')
  const why = word !== '' && { reason: word }
  const chosen = [...form].filter(([id]) => ids.has(id)).map(([id, value]) => ({ id, to: new URLSearchParams(value) }))
  const bookings = chosen.flatMap(({ id, to }): NonNullable<ClearTime['input']['bookings']> => {
    const [action, revision] = [to.get('action'), to.get('revision')]
    if (revision === null) return []
    const shown = { booking_id: id, revision }
    if (action === 'cancel') return [{ ...shown, action, ...why }]
    if (action === 'keep') return [{ ...shown, action }]
    const place = to.get('place')
    const time = { start: to.get('start') ?? '', resource_ids: to.getAll('with'), ...(place && { location_id: place }) }
    return action === 'move' ? [{ ...shown, action, ...time }] : []
  })
  const sessions = chosen.flatMap(({ id, to }): NonNullable<ClearTime['input']['sessions']> => {
    const [action, taken] = [to.get('action'), to.get('taken')]
    if (taken === null || (action !== 'cancel' && action !== 'keep')) return []
    return [{ session_id: id, taken: Number(taken), action, ...(action === 'cancel' && why) }]
  })
  return { bookings, sessions }
}
