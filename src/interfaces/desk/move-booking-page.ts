import { zoneOf } from '../../core/business/definition-facts.ts'
import { durationAfterMove } from '../../domain/availability/service-durations.ts'
import { type Plan, planOf } from '../../domain/availability/service-scheduling-plan.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { moveSeries } from '../../domain/desk/bookings/move-series.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { reschedule } from '../../domain/desk/bookings/reschedule-booking.ts'
import { rules } from '../../domain/desk/bookings/slot-request.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Booking, RescheduleBusinessBooking, TimeSlot } from '../../protocol/types.generated.ts'
import { chooser, hidden } from '../pages/form-inputs.ts'
import { bookingPage } from './booking-page.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { FilledForm } from './desk-form-tokens.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { moveFormOfDrop, resourceIds } from './drag-booking-attributes.ts'
import { explainUnavailableTime } from './explain-unavailable-time.ts'
import { freeTimes } from './free-times-of-week.ts'
import { readLocalInput, toLocalInput } from './local-time-input.ts'
import { redirectAfterMove } from './redirect-after-move.ts'
import { changedBookingText } from './refused-action-text.ts'
import { slotButton, timeChooser, weekLink } from './time-chooser.ts'
import { openUndo, sealUndo } from './undo-booking-move.ts'

/** Shows the page where staff move a booking. Staff choose a free slot, or enter a time, people and rooms. */
export async function movePage(
  id: string,
  { query, refusal }: FilledForm,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | undefined> {
  const { localizer } = deskRequest.request
  if (!isAllowed(deskRequest.who, reschedule)) return missingRolePage(reschedule, deskRequest)
  const answer = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const { booking, details } = answer.result
  const { say } = localizer
  // If the booking has started or ended since staff opened the page, staff can no longer move it.
  if (!isPossible('reschedule', booking))
    return bookingPage(id, deskRequest, dependencies, {
      text: changedBookingText(booking, localizer),
      isRefusal: true,
    })
  const following =
    details.series !== undefined &&
    isAllowed(deskRequest.who, moveSeries) &&
    html`<label class="tick"><input type="checkbox" name="following"${query.has('following') && html` checked`}> ${say('desk.series.move')}</label>`
  const addressOf = (date: string) => `/desk/bookings/${id}/move?date=${date}`
  const search = { service_id: booking.service_id, party_size: booking.party_size }
  const week = await freeTimes(search, query.get('date'), deskRequest, dependencies)
  const { slots, zone } = week
  const length = lengthOf(booking.slot)
  const from = Date.parse(requestOf(query, zone).start ?? '')
  const wantedTime = { from, to: from + length, resources: query.getAll('with').filter(Boolean) }
  const plan = planOf(await dependencies.business.get(), booking.service_id)
  const current = { length, resources: resourceIds(booking) }
  const fitting = slots.filter(
    (slot) => lengthOf(slot) === (plan ? durationAfterMove(plan, current, resourceIds(slot)) : length),
  )
  return {
    status: refusal ? 409 : 200,
    title: say('desk.move'),
    who: deskRequest.who,
    body: html`${refusal && html`<p class="note wrong" role="alert">${await explainUnavailableTime(refusal, wantedTime, deskRequest, dependencies)}</p>`}
<p><a href="/desk/bookings/${id}">${fullName(guestOf(booking))}</a> · ${booking.service_name} · ${say('booking.move.now', { time: momentText(localizer, new Date(booking.slot.start), zone) })}</p>
<form method="post">${hidden({ back: query.get('back') ?? undefined })}
${plan && exactTimeFields({ booking, plan }, query, localizer, following)}
${timeChooser({ ...week, slots: fitting }, { pick: slotButton, otherWeek: weekLink(addressOf) }, localizer)}</form>`,
  }
}

const lengthOf = ({ start, end }: Pick<TimeSlot, 'start' | 'end'>) => Date.parse(end) - Date.parse(start)

/**
 * The form fields with which staff move a booking to any time, people and rooms. After a refusal, the fields show the
 * submitted values again.
 */
function exactTimeFields(
  { booking, plan }: { booking: Booking; plan: Plan },
  query: URLSearchParams,
  localizer: Localizer,
  more: Content,
): Content {
  const { say } = localizer
  const now = toLocalInput(plan.zone, Date.parse(booking.slot.start))
  const wantedResources = query.has('start') ? query.getAll('with') : resourceIds(booking)
  const place = query.get('place') ?? booking.location?.id
  const places = (plan.business.locations ?? []).flatMap(({ id, name }) =>
    plan.locations.includes(id) ? [[id, name] as const] : [],
  )
  const people = plan.requirements.filter(({ candidates }) => candidates.length > 1)
  return html`<div class="inline">
<div><label for="start">${say('booking.when')}</label><input id="start" type="datetime-local" name="start" value="${query.get('start') ?? now}" required></div>
${people.map(({ candidates, selectable }, nth) => {
  const all = candidates.map(({ id, name }) => [id, name] as const)
  return chooser({
    id: `with-${nth}`,
    name: 'with',
    label: say('book.with'),
    options: selectable ? all : [['', say('book.anyone')], ...all],
    chosen: wantedResources,
  })
})}
${places.length > 1 && chooser({ name: 'place', label: say('book.place'), options: places, chosen: [place] })}<label class="tick"><input type="checkbox" name="override" value="${rules.join(' ')}"${query.has('override') && html` checked`}> ${say('desk.override')}</label>${more}
<button>${say('booking.move.do')}</button></div>`
}

/**
 * The number of seconds for which the server delays the mail about a move. If staff undo the move in this time, the
 * buyer gets no mail.
 */
const UNDO_SECONDS = 60

/** Moves a booking, or undoes the last move. Then redirects to the booking or to the day view. */
export async function submitMove(
  id: string,
  sent: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  if (!isAllowed(deskRequest.who, reschedule)) return missingRolePage(reschedule, deskRequest)
  const before = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (before.refusal) return undefined
  const zone = await zoneOf(dependencies)
  const { booking } = before.result
  if (!isPossible('reschedule', booking)) return movePage(id, { query: sent }, deskRequest, dependencies)
  const form = moveFormOfDrop(sent, booking, planOf(await dependencies.business.get(), booking.service_id))
  const undo = form.get('undo')
  const newTime = undo === null ? requestOf(form, zone) : openUndo(booking, undo, dependencies)
  const bookingPath = `/desk/bookings/${booking.id}`
  if (!newTime) return { to: bookingPath }
  if (form.has('following')) {
    if (!isAllowed(deskRequest.who, moveSeries)) return missingRolePage(moveSeries, deskRequest)
    const { refusal } = await callAsStaff(moveSeries, { booking_id: id, ...newTime }, deskRequest, dependencies)
    return refusal ? movePage(id, { query: form, refusal }, deskRequest, dependencies) : { to: bookingPath }
  }
  const answer = await callAsStaff(
    reschedule,
    { booking_id: id, ...newTime, mail_after: UNDO_SECONDS },
    deskRequest,
    dependencies,
  )
  if (answer.refusal) return movePage(id, { query: form, refusal: answer.refusal }, deskRequest, dependencies)
  const after = answer.result.booking
  const newUndo = undo === null ? sealUndo(booking, after, dependencies) : null
  return redirectAfterMove(after, newUndo, form.get('back') === 'day', dependencies)
}

function requestOf(form: URLSearchParams, zone: string): Omit<RescheduleBusinessBooking['input'], 'booking_id'> {
  const slot_id = form.get('slot')
  // The start of the chosen slot can pass while the form is open. Therefore the server does not apply the minimum and
  // maximum notice for bookings.
  if (slot_id !== null) return { slot_id, override: ['booking_window'] }
  const start = form.get('start') ?? ''
  const instant = readLocalInput(zone, start)
  const resource_ids = form.getAll('with').filter(Boolean)
  const location_id = form.get('place')
  return {
    start: instant === undefined ? start : rfc3339(zone, instant),
    ...(resource_ids.length > 0 && { resource_ids }),
    ...(location_id && { location_id }),
    ...(form.has('override') && { override: [...rules] }),
  }
}
