import { adjust } from '../../domain/desk/bookings/change-booking-end.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { GetBusinessBooking } from '../../protocol/types.generated.ts'
import { type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { toLocalInput } from './local-time-input.ts'

/**
 * Whether staff can change the end of the booking. They cannot change the end for a class, because the session ends at
 * the same time for all participants.
 */
const isAdjustable = ({ booking, details }: GetBusinessBooking['output']) =>
  (booking.status === 'confirmed' || booking.status === 'in_progress') && details.session_id === undefined

export function durationForm(read: GetBusinessBooking['output'], { who, request }: DeskRequest, zone: string): Content {
  if (!isAdjustable(read) || !isAllowed(who, adjust)) return undefined
  const { say } = request.localizer
  const { id, slot } = read.booking
  return html`<details><summary>${say('desk.length')}</summary><form method="post" action="/desk/bookings/${id}/length" class="inline">
<div><label for="end">${say('desk.away.to')}</label><input id="end" type="datetime-local" name="end" value="${toLocalInput(zone, Date.parse(slot.end))}" min="${toLocalInput(zone, Date.parse(slot.start))}" required></div>
<button>${say('desk.length.do')}</button></form></details>`
}
