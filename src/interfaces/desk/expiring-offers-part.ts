import { zoneOf } from '../../core/business/definition.ts'
import { LAPSING_SECONDS } from '../../domain/desk/shared/limits.ts'
import { listEntries } from '../../domain/desk/waitlist/list-entries.ts'
import { shortMomentText } from '../../infra/i18n/times.ts'
import { type Content, html } from '../../infra/util/html.ts'
import { contactLines } from './booking-page.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './desk-calls.ts'

/** Part of the inbox: unanswered waitlist offers that expire soon, the earliest first, with the buyer's contact data. */
export async function expiringOffersPart(asking: DeskRequest, means: DeskDependencies): Promise<Content> {
  const { speech } = asking.request
  const answer = await callAsStaff(listEntries, { statuses: ['offered'] }, asking, means)
  if (answer.refusal) return undefined
  const soon = means.clock().getTime() + LAPSING_SECONDS * 1000
  const offers = answer.result.entries
    .flatMap(({ buyer, offered_slot, offer_expires_at }) =>
      offered_slot?.start && offer_expires_at && Date.parse(offer_expires_at) <= soon
        ? { buyer, start: offered_slot.start, until: offer_expires_at }
        : [],
    )
    .toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until))
  if (offers.length === 0) return undefined
  const zone = await zoneOf(means)
  const at = (time: string) => shortMomentText(speech, new Date(time), zone)
  return html`<h2>${speech.say('desk.inbox.lapsing')}</h2><ul class="story">${offers.map(
    ({ buyer, start, until }) => html`<li>${contactLines(buyer)}<br>
<span class="soft">${speech.say('desk.waitlist.offered', { time: at(start), until: at(until) })}</span></li>
`,
  )}</ul><p><a href="/desk/waitlist">${speech.say('desk.waitlist')}</a></p>`
}
