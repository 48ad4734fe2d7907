import { phoneLink } from '../../core/business/contact-channels.ts'
import { zoneOf } from '../../core/business/definition-facts.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { listBookings } from '../../domain/desk/bookings/list-bookings.ts'
import { cancelSession } from '../../domain/desk/hours/cancel-class-session.ts'
import { resizeSession } from '../../domain/desk/hours/change-class-session-capacity.ts'
import { readSession } from '../../domain/desk/hours/read-class-session.ts'
import { timeRange } from '../../infra/i18n/format-times.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { collator } from '../../infra/util/cached-intl-formatters.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Booking, GetSession, Message as Refusal } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import { facts } from '../pages/name-value-list.ts'
import { truncated } from '../pages/read-form-and-query.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import { bookingActions } from './booking-actions.ts'
import { busyTimesText } from './busy-times-note.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import { attendingMark, tagList } from './day-entries.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { refusedActionText } from './refused-action-text.ts'
import { waitingText } from './unconfirmed-booking-text.ts'

type Session = GetSession['output']['session']

/**
 * The maximum number of bookings on the page of a class session. For a larger class, the page links to the list of
 * bookings.
 */
const MOST_SHOWN = 200
const LIVE = ['pending', 'requires_action', 'confirmed', 'in_progress', 'completed', 'no_show'] as const
const LONGEST_WORD = 2000

export async function classPage(
  id: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  refusal?: string,
): Promise<DeskView | undefined> {
  const answer = await callAsStaff(readSession, { session_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const { session, customer_tags: tags = {}, attending = [], busy } = answer.result
  const { localizer } = deskRequest.request
  const { say } = localizer
  const [zone, definition] = [await zoneOf(dependencies), await dependencies.business.get()]
  const bookingsOfClass = { session_id: id, statuses: [...LIVE], limit: MOST_SHOWN }
  const listed = await callAsStaff(listBookings, bookingsOfClass, deskRequest, dependencies)
  const { compare } = collator(localizer.locale, {})
  const coming = (listed.refusal ? [] : listed.result.bookings).toSorted((one, other) =>
    compare(fullName(guestOf(one)), fullName(guestOf(other))),
  )
  const nameOfResource = (one: string) => definition?.resources?.find(({ id }) => id === one)?.name ?? []
  const checkedIn = coming.filter(({ status }) => status === 'in_progress' || status === 'completed')
  const classFacts: [Message, string | false | undefined][] = [
    ['booking.when', timeRange(localizer, new Date(session.start), new Date(session.end), zone)],
    ['booking.with', localizer.list(session.resource_ids.flatMap(nameOfResource))],
    ['booking.where', definition?.locations?.find(({ id }) => id === session.location_id)?.name],
    ['desk.class.places', `${session.taken}/${session.capacity}`],
    ['desk.kept', session.held > 0 && say('booking.people', { count: session.held })],
    ['desk.state.in_progress', coming.length > 0 && `${peopleIn(checkedIn)}/${peopleIn(coming)}`],
  ]
  return {
    status: refusal === undefined ? 200 : 409,
    title: definition?.services.find(({ id }) => id === session.service_id)?.name ?? session.service_id,
    who: deskRequest.who,
    body: html`${refusal !== undefined && html`<p class="note wrong" role="alert">${refusal}</p>`}
${busy && html`<p class="note wrong">${await busyTimesText(busy, localizer, dependencies)}</p>`}
${session.status !== 'open' && html`<p class="note">${say(`desk.class.${session.status}`)}</p>`}
${facts(
  classFacts.map(([name, text]) => [say(name), text]),
  localizer,
)}
<h2>${say('desk.class.who')}</h2>
${
  coming.length === 0
    ? html`<p class="note">${say('desk.away.none')}</p>`
    : html`<ul class="story checkin">${coming.map((one) => participant(one, { zone, tags: tags[one.id], isAttending: attending.includes(one.id) }, deskRequest, dependencies))}</ul>`
}
${!listed.refusal && listed.result.pagination.has_more && html`<p><a class="button plain" href="/desk/bookings?session=${session.id}">${say('desk.more')}</a></p>`}
${(session.status !== 'canceled' || coming.some(isToBeCanceled)) && Date.parse(session.end) > dependencies.clock().getTime() && changes(session, deskRequest)}`,
  }
}

/**
 * Whether staff can still cancel this booking of a class session. The cancellation of a whole session can stop early,
 * for example after a crash. A second press of the cancel button then cancels the remaining bookings.
 */
const isToBeCanceled = (booking: Booking) => isPossible('cancel', booking)

const peopleIn = (bookings: readonly Booking[]) => bookings.reduce((sum, { party_size }) => sum + party_size, 0)

/**
 * Shows a participant of a class session with buttons. One press checks the participant in. Two presses mark a no-show
 * (the participant did not come), which is possible only after the start.
 */
function participant(
  one: Booking,
  { zone, tags, isAttending }: { zone: string; tags: string[] | undefined; isAttending: boolean },
  { who, request }: DeskRequest,
  dependencies: DeskDependencies,
): Content {
  const { localizer } = request
  const { say } = localizer
  const waiting = waitingText(one, { localizer, zone, now: dependencies.clock() })
  const person = guestOf(one)
  const button = (act: 'start' | 'no_show', className: string) =>
    bookingActions[act]?.fits(one, dependencies.clock()) &&
    isAllowed(who, bookingActions[act].operation) &&
    html`<form method="post">${hidden({ booking: one.id })}<button class="${className}" name="do" value="${act}">${say(bookingActions[act].name)}</button></form>`
  const missing = button('no_show', 'danger')
  return html`<li><div><a href="/desk/bookings/${one.id}"><strong>${fullName(person)}</strong></a>${tagList(tags)}${one.party_size > 1 && ` · ${say('booking.people', { count: one.party_size })}`}${isAttending && html` · ${attendingMark(localizer)}`}${one.status !== 'confirmed' && html` · <span class="soft">${waiting ?? say(`desk.state.${one.status}` as Message)}</span>`}${
    person.phone_number !== undefined &&
    html`<br><a href="${phoneLink(person.phone_number)}" dir="ltr">${person.phone_number}</a>`
  }${one.notes !== undefined && html`<br><span class="soft">${one.notes}</span>`}</div>
<div class="acts">${button('start', 'plain')}${missing && html`<details><summary>${say('desk.no_show')}</summary>${missing}</details>`}</div></li>
`
}

function changes(session: Session, { who, request: { localizer } }: DeskRequest): Content {
  const { say } = localizer
  return html`${
    isAllowed(who, resizeSession) &&
    session.status !== 'canceled' &&
    html`<details><summary>${say('desk.class.resize')}</summary><form method="post" class="inline">
<div><label for="capacity">${say('desk.class.places')}</label><input id="capacity" name="capacity" type="number" inputmode="numeric" min="${Math.max(session.taken, 1)}" max="10000" value="${session.capacity}" required></div>
<button name="do" value="resize">${say('desk.class.resize')}</button></form></details>`
  }${
    isAllowed(who, cancelSession) &&
    html`<details><summary>${say('desk.class.cancel')}</summary><form method="post">
<p>${say('desk.class.cancel.text', { count: session.taken - session.held })}</p>
<label for="word">${say('desk.word.reason')}</label><input id="word" name="word" maxlength="${LONGEST_WORD}">
<button name="do" value="cancel" class="danger">${say('desk.class.cancel')}</button></form></details>`
  }`
}

export async function submitClassAction(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  const refused = await runClassAction(id, form, deskRequest, dependencies)
  if (refused && 'status' in refused) return refused
  if (!refused) return { to: `/desk/classes/${encodeURIComponent(id)}` }
  const view = { localizer, zone: await zoneOf(dependencies) }
  return classPage(id, deskRequest, dependencies, refusedClassText(refused, form.get('do'), view))
}

/** Returns the reason why the server refused an action on a class session or on the booking of a participant. */
function refusedClassText(
  refusal: Pick<Refusal, 'code' | 'content'>,
  action: string | null,
  view: { localizer: Localizer; zone: string },
): string {
  const { say } = view.localizer
  if (action !== 'resize' && action !== 'cancel') return refusedActionText(refusal, undefined, view)
  if (refusal.code === 'capacity_exceeded') return say('desk.class.too_few')
  if (refusal.code === 'cancellation_not_allowed') return say('desk.class.begun')
  return refusalText(refusal.code, view.localizer, 'desk.class.over')
}

/**
 * Runs the action of the pressed button on the page of a class session. Returns undefined after success. Otherwise
 * returns the refusal, or a page that names the required role.
 */
async function runClassAction(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
) {
  const what = form.get('do')
  if (what === 'resize') {
    if (!isAllowed(deskRequest.who, resizeSession)) return missingRolePage(resizeSession, deskRequest)
    const capacity = Number.parseInt(form.get('capacity') ?? '', 10)
    if (!(capacity >= 0 && capacity <= 10_000)) return { code: 'invalid_request', content: '' }
    return (await callAsStaff(resizeSession, { session_id: id, capacity }, deskRequest, dependencies)).refusal
  }
  if (what === 'cancel') {
    if (!isAllowed(deskRequest.who, cancelSession)) return missingRolePage(cancelSession, deskRequest)
    const reason = truncated(LONGEST_WORD, form.get('word')?.trim() ?? '')
    return (await callAsStaff(cancelSession, { session_id: id, ...(reason && { reason }) }, deskRequest, dependencies))
      .refusal
  }
  const act = what === 'start' || what === 'no_show' ? bookingActions[what] : undefined
  if (!act || !isAllowed(deskRequest.who, act.operation)) return missingRolePage(act?.operation, deskRequest)
  return (await callAsStaff(act.operation, { booking_id: form.get('booking') ?? '' }, deskRequest, dependencies))
    .refusal
}
