import { listNotifications } from '../../domain/desk/bookings/list-notifications.ts'
import { resendNotification } from '../../domain/desk/bookings/resend-notification.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { ListBusinessBookingTold } from '../../protocol/types.generated.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { notificationName } from './notification-names.ts'

type Told = ListBusinessBookingTold['output']['told'][number]

/**
 * Lists the notifications about a booking. Staff can resend a notification after the server has delivered it or has
 * stopped trying.
 */
export async function notificationList(
  id: string,
  zone: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const answer = await callAsStaff(listNotifications, { booking_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const { say } = deskRequest.request.localizer
  const { told: notifications } = answer.result
  return html`<details id="told"><summary>${say('desk.told')}</summary>
${notifications.length === 0 ? html`<p class="note">${say('desk.none')}</p>` : html`<ul class="story">${notifications.map((one) => notificationLine(one, id, zone, deskRequest))}</ul>`}</details>`
}

const ENDED: readonly Told['status'][] = ['sent', 'given_up']

/** Describes a notification by its subject, status, time and recipient. */
export function notificationText(one: Told, zone: string, localizer: Localizer, page?: string): Content {
  const { say, isolate } = localizer
  const moment = momentText(localizer, new Date(one.ended_at ?? one.at), zone)
  const what = isolate(one.subject ?? notificationName(one.what, localizer))
  return html`${page === undefined ? what : html`<a href="${page}">${what}</a>`}<br>
<span class="soft">${say(`desk.told.${one.status}`)} · ${isolate(moment)} · ${isolate(one.to?.replace(/^profile /, '') ?? one.way)}${one.problem !== undefined && html`<br>${isolate(one.problem)}`}</span>`
}

export function notificationLine(
  one: Told,
  id: string,
  zone: string,
  { who, request: { localizer } }: DeskRequest,
): Content {
  const { say } = localizer
  return html`<li>${notificationText(one, zone, localizer)}
${ENDED.includes(one.status) && isAllowed(who, resendNotification) && html`<form method="post" action="/desk/bookings/${id}/told"><button class="plain" name="told" value="${one.id}">${say('desk.told.again')}</button></form>`}</li>
`
}
