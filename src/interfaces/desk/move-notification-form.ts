import { listNotifications } from '../../domain/desk/bookings/list-notifications.ts'
import { notifyOfMove } from '../../domain/desk/bookings/notify-of-move.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { SECOND } from '../../infra/time/time-units.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer } from './desk-page.ts'
import { redirectAfterMove } from './redirect-after-move.ts'

/**
 * Returns a text that says whether the customer gets a notification of the last move, and a button that changes this.
 * Returns neither if there is no notification, for example because the customer has no email address.
 */
export async function moveNotification(
  { id, updated_at }: Pick<Booking, 'id' | 'updated_at'>,
  fields: { undo: string; back: string | undefined },
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<{ text?: Content; button?: Content }> {
  const { who, request } = deskRequest
  const { say } = request.localizer
  if (!isAllowed(who, notifyOfMove)) return {}
  const answer = await callAsStaff(listNotifications, { booking_id: id }, deskRequest, dependencies)
  const told = answer.refusal ? [] : answer.result.told
  const status = told.find(
    ({ what, way, at }) => what === 'booking.moved_by_business' && way !== 'event' && isOfLastChange(at, updated_at),
  )?.status
  if (status === 'sent') return { text: say('desk.notify.sent') }
  if (status !== 'waiting' && status !== 'dropped') return {}
  const isDue = status === 'waiting'
  const button = html`<form method="post" action="/desk/bookings/${id}/notify">${hidden(fields)}<button class="plain" name="notify" value="${isDue ? 'no' : 'yes'}">${say(isDue ? 'desk.notify.no' : 'desk.notify.yes')}</button></form>`
  return { text: say(`desk.notify.${status}`), button }
}

/**
 * Whether the notification at the time `at` belongs to the last change of the booking. If the server's clock stands
 * still, the stored time of a change is some milliseconds later than its notification.
 */
const isOfLastChange = (at: string, updatedAt: string) => Date.parse(at) + SECOND > Date.parse(updatedAt)

export async function submitMoveNotification(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  if (!isAllowed(deskRequest.who, notifyOfMove)) return missingRolePage(notifyOfMove, deskRequest)
  // If the server has already sent the notification, the server refuses this call. The next page then says that the
  // notification is sent.
  const input = { booking_id: id, notify_buyer: form.get('notify') === 'yes' }
  await callAsStaff(notifyOfMove, input, deskRequest, dependencies)
  const answer = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  return redirectAfterMove(answer.result.booking, form.get('undo'), form.get('back') === 'day', dependencies)
}
