import { type Content, html } from '../../basics/html.ts'
import { zoneOf } from '../../business/zone-of.ts'
import { listBookings } from '../../desk/bookings/list-bookings.ts'
import type { Message } from '../../languages/catalogue.ts'
import type { Speech } from '../../languages/speech.ts'
import { shortMomentText } from '../../languages/times.ts'
import type { Booking, ListBusinessBookings } from '../../protocol/types.generated.ts'
import { nameOf } from './booking-page.ts'
import { type Asking, ask, type DeskMeans } from './desk-calls.ts'
import type { DeskView } from './desk-page.ts'

type Wanted = ListBusinessBookings['input']

/** Bookings by name, number, address or reference, and those of a class. */
export async function bookingsPage(query: URLSearchParams, asking: Asking, means: DeskMeans): Promise<DeskView> {
  const { say } = asking.request.speech
  const [words, service, date, after] = ['query', 'service', 'date', 'after'].map((name) => query.get(name) ?? '')
  const isAsked = Boolean(words || service)
  const wanted: Wanted = {
    order: service ? 'earliest_first' : 'latest_first',
    ...(words && { query: words }),
    ...(service && { service_id: service }),
    ...(date && { start_date: date, end_date: date }),
    ...(after && { cursor: after }),
  }
  const found = isAsked ? await list(wanted, asking, means) : undefined
  return {
    status: 200,
    title: say('desk.bookings'),
    who: asking.who,
    place: 'bookings',
    body: html`<form method="get" role="search" class="inline"><div><label for="query">${say('desk.search')}</label><input id="query" type="search" name="query" value="${words}" maxlength="200"></div><button>${say('desk.search.go')}</button></form>
${found}`,
  }
}

/** Who waits for an answer, who says to have paid, and who was asked for something first. */
export async function inboxPage(asking: Asking, means: DeskMeans): Promise<DeskView> {
  const { say } = asking.request.speech
  const open: Wanted['statuses'] = ['requires_action']
  const [requests, claimed, unfinished] = await Promise.all([
    list({ statuses: ['pending'] }, asking, means),
    list({ statuses: open, payment_claimed: true }, asking, means),
    list({ statuses: open, payment_claimed: false }, asking, means),
  ])
  return {
    status: 200,
    title: say('desk.inbox'),
    who: asking.who,
    place: 'inbox',
    body: html`<h2>${say('desk.requests')}</h2>${requests}<h2>${say('desk.claimed')}</h2>${claimed}<h2>${say('desk.unfinished')}</h2>${unfinished}`,
  }
}

async function list(wanted: Wanted, asking: Asking, means: DeskMeans): Promise<Content> {
  const { speech, url } = asking.request
  const { say } = speech
  const answer = await ask(listBookings, wanted, asking, means)
  if (answer.refusal) return html`<p class="note wrong" role="alert">${say('failure.refused.text')}</p>`
  const { bookings, pagination } = answer.result
  if (bookings.length === 0) return html`<p class="note">${say('desk.none')}</p>`
  const zone = await zoneOf(means)
  const more = new URLSearchParams(url.split('?', 2)[1])
  more.set('after', pagination.cursor ?? '')
  return html`<ul class="steps bookings">
${bookings.map((one) => line(one, speech, zone))}</ul>
${pagination.has_more && html`<p><a class="button plain" href="/desk/bookings?${String(more)}">${say('desk.more')}</a></p>`}`
}

const line = (
  one: Booking,
  speech: Speech,
  zone: string,
): Content => html`<li><a href="/desk/bookings/${one.id}"><strong>${nameOf(one.recipient ?? one.buyer)}</strong><br>
${shortMomentText(speech, new Date(one.slot.start), zone)} · ${one.service_name}<br>
<span class="soft">${speech.say(`my.state.${one.status}` satisfies Message)}</span></a></li>
`
