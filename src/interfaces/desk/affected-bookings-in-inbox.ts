import { zoneOf } from '../../core/business/definition-facts.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { keep } from '../../domain/desk/bookings/keep-affected-booking.ts'
import { listStranded } from '../../domain/desk/bookings/list-affected-bookings.ts'
import { reschedule } from '../../domain/desk/bookings/reschedule-booking.ts'
import { cancelSession } from '../../domain/desk/hours/cancel-class-session.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { ListStrandedBookings } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import { bookingActions } from './booking-actions.ts'
import { busyTimesText } from './busy-times-note.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { eventQuestionsText, keepText } from './event-questions-note.ts'

type Affected = ListStrandedBookings['output']['stranded'][number]

/**
 * Returns the inbox sections about bookings that cannot take place as agreed. The first section has the bookings that
 * overlap a busy time of another calendar. The second section has the bookings with an event that a person deleted or
 * changed in another calendar. The third section has the bookings that no longer fit the business definition (its
 * services, people and hours).
 */
export async function affectedBookingsPart(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Content> {
  const { say } = deskRequest.request.localizer
  const answer = await callAsStaff(listStranded, {}, deskRequest, dependencies)
  if (answer.refusal || answer.result.total === 0) return undefined
  const { total, stranded } = answer.result
  const isConflict = ({ busy }: Affected) => busy !== undefined
  const isElsewhere = ({ busy, events }: Affected) => busy === undefined && events !== undefined
  const conflicts = stranded.filter(isConflict)
  const elsewhere = stranded.filter(isElsewhere)
  const others = stranded.filter((one) => !isConflict(one) && !isElsewhere(one))
  const conflictsShown = oncePerClass(conflicts)
  const section = async (title: Message, count: number, affected: readonly Affected[]) =>
    affected.length > 0 &&
    html`<h2>${say(title)} (${count})</h2><ul class="story">
${await Promise.all(
  affected.map((one) =>
    one.busy && one.session_id !== undefined
      ? busyClass(one, one.session_id, deskRequest, dependencies)
      : affectedBooking(one, deskRequest, dependencies),
  ),
)}</ul>`
  return html`${await section('desk.conflicts', conflictsShown.length, conflictsShown)}
${await section('desk.elsewhere', elsewhere.length, elsewhere)}
${await section('desk.stranded', total - conflicts.length - elsewhere.length, others)}`
}

/** If the teacher of a class is busy, the staff decide about the whole class, so its first booking stands for all. */
const oncePerClass = (conflicts: readonly Affected[]): Affected[] => {
  const classes = conflicts.map(({ session_id, booking }) => session_id ?? booking.id)
  return conflicts.filter((_, index) => classes.indexOf(classes[index] ?? '') === index)
}

async function affectedBooking(
  { booking, reasons, busy = [], events = [] }: Affected,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const { who, request } = deskRequest
  const { localizer } = request
  const { say } = localizer
  const zone = await zoneOf(dependencies)
  const link = (path: string, text: Message) =>
    html`<a class="button plain" href="/desk/bookings/${path}">${say(text)}</a>`
  const why = [
    ...reasons.map((one) => say(`desk.stranded.${one}`)),
    ...(busy.length > 0 ? [await busyTimesText(busy, localizer, dependencies)] : []),
    ...(events.length > 0 ? [await eventQuestionsText(events, localizer, dependencies)] : []),
  ]
  return html`<li><a href="/desk/bookings/${booking.id}"><strong>${fullName(guestOf(booking))}</strong></a><br>
${shortMomentText(localizer, new Date(booking.slot.start), zone)} · ${booking.service_name}<br>
<span class="soft">${why.join(' · ')}</span>
<div class="acts">
${isPossible('reschedule', booking) && isAllowed(who, reschedule) && link(`${booking.id}/move`, 'desk.move')}
${bookingActions.cancel?.fits(booking, dependencies.clock()) && isAllowed(who, bookingActions.cancel.operation) && link(booking.id, 'booking.cancel')}
${keepButton(booking.id, busy.length > 0 ? 'desk.conflicts.keep' : keepText(events), deskRequest)}</div></li>
`
}

/** A class whose teacher or room is busy in another calendar. Its page has a button to cancel it with all its bookings. */
async function busyClass(
  { booking, busy = [] }: Affected,
  session: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const { who, request } = deskRequest
  const { localizer } = request
  const { say } = localizer
  const page = `/desk/classes/${session}`
  const time = shortMomentText(localizer, new Date(booking.slot.start), await zoneOf(dependencies))
  return html`<li><a href="${page}"><strong>${booking.service_name}</strong></a><br>
${time}<br>
<span class="soft">${await busyTimesText(busy, localizer, dependencies)}</span>
<div class="acts">
${isAllowed(who, cancelSession) && html`<a class="button plain" href="${page}">${say('desk.class.cancel')}</a>`}
${keepButton(booking.id, 'desk.conflicts.keep', deskRequest)}</div></li>
`
}

const keepButton = (booking: string, label: Message, { who, request }: DeskRequest): Content =>
  isAllowed(who, keep) &&
  html`<form method="post" action="/desk/inbox">${hidden({ keep: booking })}<button class="plain">${request.localizer.say(label)}</button></form>`
