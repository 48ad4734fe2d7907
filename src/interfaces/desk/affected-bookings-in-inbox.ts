import { zoneOf } from '../../core/business/definition-facts.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { keep } from '../../domain/desk/bookings/keep-affected-booking.ts'
import { listStranded } from '../../domain/desk/bookings/list-bookings-affected-by-definition.ts'
import { reschedule } from '../../domain/desk/bookings/reschedule-booking.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import { bookingActions } from './booking-actions.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'

/**
 * Returns the inbox section about bookings that no longer fit the business definition (its services, people and hours).
 * Returns undefined if there are no such bookings.
 */
export async function affectedBookingsPart(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Content> {
  const { localizer } = deskRequest.request
  const { say } = localizer
  const answer = await callAsStaff(listStranded, {}, deskRequest, dependencies)
  if (answer.refusal || answer.result.total === 0) return undefined
  const { total, stranded } = answer.result
  const zone = await zoneOf(dependencies)
  const link = (path: string, text: Message) =>
    html`<a class="button plain" href="/desk/bookings/${path}">${say(text)}</a>`
  const choices = (booking: Booking) => html`
${isPossible('reschedule', booking) && isAllowed(deskRequest.who, reschedule) && link(`${booking.id}/move`, 'desk.move')}
${bookingActions.cancel?.fits(booking, dependencies.clock()) && isAllowed(deskRequest.who, bookingActions.cancel.operation) && link(booking.id, 'booking.cancel')}
${
  isAllowed(deskRequest.who, keep) &&
  html`<form method="post" action="/desk/inbox">${hidden({ keep: booking.id })}<button class="plain">${say('desk.away.keep')}</button></form>`
}`
  return html`<h2>${say('desk.stranded')} (${total})</h2><ul class="story">
${stranded.map(
  ({
    booking,
    reasons,
  }) => html`<li><a href="/desk/bookings/${booking.id}"><strong>${fullName(guestOf(booking))}</strong></a><br>
${shortMomentText(localizer, new Date(booking.slot.start), zone)} · ${booking.service_name}<br>
<span class="soft">${reasons.map((one) => say(`desk.stranded.${one}`)).join(' · ')}</span>
<div class="acts">${choices(booking)}</div></li>
`,
)}</ul>`
}
