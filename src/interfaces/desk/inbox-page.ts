import { keep } from '../../domain/desk/bookings/keep.ts'
import { dismissGivenUp } from '../../domain/desk/inbox/dismiss-given-up.ts'
import { sendAgain } from '../../domain/desk/inbox/send-again.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html.ts'
import { affectedBookingsPart } from './affected-bookings-part.ts'
import { bookingResults } from './bookings-page.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, ignoreNotFound, isAllowed } from './desk-calls.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { expiringOffersPart } from './expiring-offers-part.ts'
import { missingRolePage } from './missing-role-page.ts'
import { undeliveredPart } from './undelivered-part.ts'

/** Open items, the most urgent first. The last part lists bookings that wait for the buyer. */
export async function inboxPage(asking: DeskRequest, means: DeskDependencies): Promise<DeskView> {
  const { say } = asking.request.speech
  const bookings = async (title: Message, query: Record<string, string>): Promise<Content> => {
    const listed = await bookingResults(new URLSearchParams(query), asking, means)
    return listed && html`<h2>${say(title)}</h2>${listed}`
  }
  const parts = await Promise.all([
    expiringOffersPart(asking, means),
    bookings('desk.requests', { status: 'pending' }),
    bookings('desk.claimed', { status: 'requires_action', claimed: 'true' }),
    affectedBookingsPart(asking, means),
    undeliveredPart(asking, means),
    bookings('desk.unfinished', { status: 'requires_action', claimed: 'false' }),
  ])
  const notify = (turn: 'on' | 'off', label: Message) =>
    html`<button type="button" class="plain" data-notify="${turn}">${say(label)}</button>`
  return {
    status: 200,
    title: say('desk.inbox'),
    who: asking.who,
    place: 'inbox',
    body: html`${parts.some(Boolean) ? parts : html`<p class="note">${say('desk.inbox.none')}</p>`}
<div class="acts">${notify('on', 'desk.inbox.notify')}${notify('off', 'desk.inbox.notify.off')}</div>`,
  }
}

/** Runs the pressed action. A missing item was already dealt with, so this is no error. */
export async function submitInboxAction(
  form: URLSearchParams,
  asking: DeskRequest,
  means: DeskDependencies,
): Promise<Answer> {
  const deeds = {
    keep: { operation: keep, call: (booking_id: string) => callAsStaff(keep, { booking_id }, asking, means) },
    again: { operation: sendAgain, call: (told_id: string) => callAsStaff(sendAgain, { told_id }, asking, means) },
    dismiss: {
      operation: dismissGivenUp,
      call: (told_id: string) => callAsStaff(dismissGivenUp, { told_id }, asking, means),
    },
  }
  const [name, deed] = Object.entries(deeds).find(([one]) => form.has(one)) ?? []
  if (name === undefined || !deed || !isAllowed(asking.who, deed.operation))
    return missingRolePage(deed?.operation, asking)
  await deed.call(form.get(name) || '-').catch(ignoreNotFound)
  return { to: '/desk/inbox' }
}
