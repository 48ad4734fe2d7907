import { zoneOf } from '../../core/business/definition-facts.ts'
import { keep } from '../../domain/desk/bookings/keep-affected-booking.ts'
import { dismissGivenUp } from '../../domain/desk/inbox/dismiss-failed-delivery.ts'
import { listGivenUp } from '../../domain/desk/inbox/list-failed-deliveries.ts'
import { markChargeReturned } from '../../domain/desk/inbox/mark-charge-returned.ts'
import { sendAgain } from '../../domain/desk/inbox/resend-failed-delivery.ts'
import { LAPSING_SECONDS } from '../../domain/desk/shared/desk-list-limits.ts'
import { listEntries } from '../../domain/desk/waitlist/list-entries.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { ignoreNotFound } from '../../pipeline/call-operation-from-page.ts'
import { affectedBookingsPart } from './affected-bookings-in-inbox.ts'
import { contactLines } from './booking-page.ts'
import { bookingResults } from './bookings-page.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { notificationText } from './notification-list.ts'
import { unreturnedChargesPart } from './unreturned-charges-in-inbox.ts'

/**
 * The inbox page with all open items, the most urgent first. The last section lists bookings that the buyer has not
 * completed yet.
 */
export async function inboxPage(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<DeskView> {
  const { say } = deskRequest.request.localizer
  const bookings = async (title: Message, query: Record<string, string>): Promise<Content> => {
    const listed = await bookingResults(new URLSearchParams(query), deskRequest, dependencies)
    return listed && html`<h2>${say(title)}</h2>${listed}`
  }
  const parts = await Promise.all([
    expiringOffersPart(deskRequest, dependencies),
    bookings('desk.requests', { status: 'pending' }),
    bookings('desk.claimed', { status: 'requires_action', claimed: 'true' }),
    unreturnedChargesPart(deskRequest, dependencies),
    affectedBookingsPart(deskRequest, dependencies),
    undeliveredPart(deskRequest, dependencies),
    bookings('desk.unfinished', { status: 'requires_action', claimed: 'false' }),
  ])
  const notify = (turn: 'on' | 'off', label: Message) =>
    html`<button type="button" class="plain" data-notify="${turn}">${say(label)}</button>`
  return {
    status: 200,
    title: say('desk.inbox'),
    who: deskRequest.who,
    place: 'inbox',
    body: html`${parts.some(Boolean) ? parts : html`<p class="note">${say('desk.inbox.none')}</p>`}
<div class="acts">${notify('on', 'desk.inbox.notify')}${notify('off', 'desk.inbox.notify.off')}<a class="button plain" data-push-link href="/desk/devices#push">${say(deskRequest.who.pushLocale === undefined ? 'desk.push.link' : 'desk.push')}</a></div>`,
  }
}

/**
 * Runs the action of the pressed inbox button. Ignores an item that no longer exists, for example because another staff
 * member handled it a moment ago.
 */
export async function submitInboxAction(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const deeds = {
    keep: {
      operation: keep,
      call: (booking_id: string) => callAsStaff(keep, { booking_id }, deskRequest, dependencies),
    },
    again: {
      operation: sendAgain,
      call: (told_id: string) => callAsStaff(sendAgain, { told_id }, deskRequest, dependencies),
    },
    dismiss: {
      operation: dismissGivenUp,
      call: (told_id: string) => callAsStaff(dismissGivenUp, { told_id }, deskRequest, dependencies),
    },
    returned: {
      operation: markChargeReturned,
      call: (charge_id: string) => callAsStaff(markChargeReturned, { charge_id }, deskRequest, dependencies),
    },
  }
  const [name, deed] = Object.entries(deeds).find(([one]) => form.has(one)) ?? []
  if (name === undefined || !deed || !isAllowed(deskRequest.who, deed.operation))
    return missingRolePage(deed?.operation, deskRequest)
  await deed.call(form.get(name) || '-').catch(ignoreNotFound)
  return { to: '/desk/inbox' }
}

/**
 * Returns the inbox section with waitlist offers that expire soon, the earliest first. An offer is a slot that is
 * reserved for a waiting buyer. Each offer appears with the buyer's contact data.
 */
async function expiringOffersPart(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Content> {
  const { localizer } = deskRequest.request
  const answer = await callAsStaff(listEntries, { statuses: ['offered'] }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const soon = dependencies.clock().getTime() + LAPSING_SECONDS * 1000
  const offers = answer.result.entries
    .flatMap(({ buyer, offered_slot, offer_expires_at }) =>
      offered_slot?.start && offer_expires_at && Date.parse(offer_expires_at) <= soon
        ? { buyer, start: offered_slot.start, until: offer_expires_at }
        : [],
    )
    .toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until))
  if (offers.length === 0) return undefined
  const zone = await zoneOf(dependencies)
  const at = (time: string) => shortMomentText(localizer, new Date(time), zone)
  return html`<h2>${localizer.say('desk.inbox.lapsing')}</h2><ul class="story">${offers.map(
    ({ buyer, start, until }) => html`<li>${contactLines(buyer)}<br>
<span class="soft">${localizer.say('desk.waitlist.offered', { time: at(start), until: at(until) })}</span></li>
`,
  )}</ul><p><a href="/desk/waitlist">${localizer.say('desk.waitlist')}</a></p>`
}

/**
 * Returns the inbox section with mails and events that the server could not deliver. Staff can resend or dismiss each
 * of them.
 */
async function undeliveredPart(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Content> {
  const { who, request } = deskRequest
  const { say } = request.localizer
  const answer = await callAsStaff(listGivenUp, {}, deskRequest, dependencies)
  if (answer.refusal || answer.result.given_up.length === 0) return undefined
  const zone = await zoneOf(dependencies)
  const buttons = (id: string) =>
    html`${isAllowed(who, sendAgain) && html`<button class="plain" name="again" value="${id}">${say('desk.told.again')}</button>`}${isAllowed(who, dismissGivenUp) && html`<button class="plain" name="dismiss" value="${id}">${say('desk.told.dropped')}</button>`}`
  return html`<h2>${say('desk.inbox.given_up')}</h2><ul class="story">${answer.result.given_up.map(
    ({ about, ...notification }) => html`<li>${notificationText(notification, zone, request.localizer, pageOf(about))}
<form method="post" action="/desk/inbox" class="acts">${buttons(notification.id)}</form></li>
`,
  )}</ul>`
}

/** Returns the URL of the desk page about the booking or waitlist entry that an undelivered message concerns. */
function pageOf(about: string): string | undefined {
  const [kind, id = ''] = about.split(' ')
  if (kind === 'booking') return `/desk/bookings/${encodeURIComponent(id)}`
  return kind === 'entry' ? '/desk/waitlist' : undefined
}
