import { zoneOf } from '../../core/business/definition.ts'
import { dismissGivenUp } from '../../domain/desk/inbox/dismiss-given-up.ts'
import { listGivenUp } from '../../domain/desk/inbox/list-given-up.ts'
import { sendAgain } from '../../domain/desk/inbox/send-again.ts'
import { type Content, html } from '../../infra/util/html.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './desk-calls.ts'
import { notificationText } from './notification-list.ts'

/** Part of the inbox: undelivered mails and events. Staff send them again or dismiss them. */
export async function undeliveredPart(asking: DeskRequest, means: DeskDependencies): Promise<Content> {
  const { who, request } = asking
  const { say } = request.speech
  const answer = await callAsStaff(listGivenUp, {}, asking, means)
  if (answer.refusal || answer.result.given_up.length === 0) return undefined
  const zone = await zoneOf(means)
  const buttons = (id: string) =>
    html`${isAllowed(who, sendAgain) && html`<button class="plain" name="again" value="${id}">${say('desk.told.again')}</button>`}${isAllowed(who, dismissGivenUp) && html`<button class="plain" name="dismiss" value="${id}">${say('desk.told.dropped')}</button>`}`
  return html`<h2>${say('desk.inbox.given_up')}</h2><ul class="story">${answer.result.given_up.map(
    ({ about, ...told }) => html`<li>${notificationText(told, zone, request.speech, pageOf(about))}
<form method="post" action="/desk/inbox" class="acts">${buttons(told.id)}</form></li>
`,
  )}</ul>`
}

/** The page of the booking or waitlist that the message is about. */
function pageOf(about: string): string | undefined {
  const [kind, id = ''] = about.split(' ')
  if (kind === 'booking') return `/desk/bookings/${encodeURIComponent(id)}`
  return kind === 'entry' ? '/desk/waitlist' : undefined
}
