import { zoneOf } from '../../core/business/definition-facts.ts'
import { planOf } from '../../domain/availability/service-scheduling-plan.ts'
import { fullName } from '../../domain/bookings/people-of-booking.ts'
import { listEntries } from '../../domain/desk/waitlist/list-entries.ts'
import { moveEntry } from '../../domain/desk/waitlist/move-entry.ts'
import { offerPlace } from '../../domain/desk/waitlist/offer-place.ts'
import { readEntry } from '../../domain/desk/waitlist/read-entry.ts'
import { removeEntry } from '../../domain/desk/waitlist/remove-entry.ts'
import { preferredTimesText } from '../../domain/waitlist/preferred-times-text.ts'
import { momentText, shortMomentText } from '../../infra/i18n/format-times.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { WaitlistEntry } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import { contactLines } from './booking-page.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { freeTimes } from './free-times-of-week.ts'
import { NO_MORE, nextPageLink } from './next-page-link.ts'
import { slotButton, timeChooser, weekLink } from './time-chooser.ts'

export async function waitlistPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  refusal?: string,
): Promise<DeskView> {
  const { localizer } = deskRequest.request
  const { say } = localizer
  const answer = await callAsStaff(listEntries, { cursor: query.get('after') }, deskRequest, dependencies)
  const { entries, pagination } = answer.refusal ? { entries: [], pagination: NO_MORE } : answer.result
  const names = new Map((await dependencies.business.get())?.services.map(({ id, name }) => [id, name]))
  const zone = await zoneOf(dependencies)
  return {
    status: refusal === undefined ? 200 : 409,
    title: say('desk.waitlist'),
    who: deskRequest.who,
    place: 'waitlist',
    body: html`${refusal !== undefined && html`<p class="note wrong" role="alert">${refusal}</p>`}
${entries.length === 0 && html`<p class="note">${say('desk.waitlist.none')}</p>`}
${[...Map.groupBy(entries, ({ service_id }) => service_id)].map(
  ([service, entriesOfService]) => html`<h2>${names.get(service) ?? service}</h2>
<ol class="story">${entriesOfService.map((one) => entryLine(one, deskRequest, zone, dependencies))}</ol>
`,
)}${nextPageLink('/desk/waitlist', query, pagination, localizer)}`,
  }
}

function entryLine(
  one: WaitlistEntry,
  { who, request: { localizer } }: DeskRequest,
  zone: string,
  { tag }: DeskDependencies,
): Content {
  const { say } = localizer
  const { id, buyer, position, status, offered_slot, offer_expires_at } = one
  const at = (time: string) => shortMomentText(localizer, new Date(time), zone)
  const mayMove = isAllowed(who, moveEntry) && position !== undefined
  const to = (place: number, label: 'desk.waitlist.up' | 'desk.waitlist.down') =>
    html`<form method="post" action="/desk/waitlist">${hidden({ entry: id, position: String(place) })}<button class="plain" name="do" value="move">${say(label)}</button></form>`
  return html`<li>${contactLines(buyer)}<br>
<span class="soft">${say('desk.waitlist.since', { time: at(one.created_at) })}${one.preferred_slots && preferredTimesText({ slot_id: null, preferred: one.preferred_slots }, localizer, zone, tag).map((text) => ` · ${text}`)}</span>
${offered_slot?.start !== undefined && offer_expires_at !== undefined && html`<br><strong>${say('desk.waitlist.offered', { time: at(offered_slot.start), until: at(offer_expires_at) })}</strong>`}
<div class="acts">${mayMove && position > 1 && to(position - 1, 'desk.waitlist.up')}${mayMove && to(position + 1, 'desk.waitlist.down')}
${status === 'waiting' && isAllowed(who, offerPlace) && html`<a class="button plain" href="/desk/waitlist/${id}">${say('desk.waitlist.offer')}</a>`}</div>
${
  isAllowed(who, removeEntry) &&
  html`<details><summary>${say('desk.waitlist.remove')}</summary><form method="post" action="/desk/waitlist">${hidden({ entry: id })}<button class="danger" name="do" value="remove">${say('desk.waitlist.remove')}</button></form></details>`
}</li>
`
}

/** The page with the free slots that staff can offer to one buyer on the waitlist. */
export async function offerPage(
  id: string,
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | undefined> {
  const { localizer } = deskRequest.request
  const { say } = localizer
  if (!isAllowed(deskRequest.who, offerPlace)) return missingRolePage(offerPlace, deskRequest)
  const answer = await callAsStaff(readEntry, { entry_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const { entry } = answer.result
  const addressOf = (date: string) => `/desk/waitlist/${entry.id}?date=${date}`
  const search = { service_id: entry.service_id }
  const week = await freeTimes(search, query.get('date'), deskRequest, dependencies)
  // The buyer must still have time to accept the offer. Therefore the page omits slots that start too soon.
  const notice = planOf(await dependencies.business.get(), entry.service_id)?.minAdvance ?? 0
  const slots = week.slots.filter(({ start }) => Date.parse(start) - notice > dependencies.clock().getTime())
  return {
    status: 200,
    title: say('desk.waitlist.offer'),
    who: deskRequest.who,
    body: html`<p><strong>${fullName(entry.buyer)}</strong> · ${say('desk.waitlist.since', { time: momentText(localizer, new Date(entry.created_at), week.zone) })}</p>
<form method="post" action="/desk/waitlist">${hidden({ entry: entry.id, do: 'offer' })}${timeChooser({ ...week, slots }, { pick: slotButton, otherWeek: weekLink(addressOf) }, localizer)}</form>`,
  }
}

export async function submitWaitlistAction(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  const entry_id = form.get('entry') ?? ''
  const calls = {
    move: {
      operation: moveEntry,
      call: () =>
        callAsStaff(
          moveEntry,
          { entry_id, position: Number.parseInt(form.get('position') ?? '', 10) || 1 },
          deskRequest,
          dependencies,
        ),
    },
    remove: { operation: removeEntry, call: () => callAsStaff(removeEntry, { entry_id }, deskRequest, dependencies) },
    offer: {
      operation: offerPlace,
      call: () => callAsStaff(offerPlace, { entry_id, slot_id: form.get('slot') ?? '' }, deskRequest, dependencies),
    },
  }
  const action = new Map(Object.entries(calls)).get(form.get('do') ?? '')
  if (!action || !isAllowed(deskRequest.who, action.operation)) return missingRolePage(action?.operation, deskRequest)
  const { refusal } = await action.call()
  if (!refusal) return { to: '/desk/waitlist' }
  return waitlistPage(
    new URLSearchParams(),
    deskRequest,
    dependencies,
    refusalText(refusal.code, localizer, 'desk.waitlist.changed'),
  )
}
