import { zoneOf } from '../../core/business/definition-facts.ts'
import { fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { listBookings } from '../../domain/desk/bookings/list-bookings.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import type { Booking, ListBusinessBookings } from '../../protocol/types.generated.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './call-operation-as-staff.ts'
import type { DeskView } from './desk-page.ts'
import { nextPageLink } from './next-page-link.ts'
import { waitingText } from './unconfirmed-booking-text.ts'

type Wanted = ListBusinessBookings['input']

const OPEN = ['pending', 'requires_action'] as const

const UPCOMING = ['pending', 'requires_action', 'confirmed', 'in_progress'] as const

/** Reads the search for bookings from the query string. Returns undefined if the query string contains no search. */
function readSearch(query: URLSearchParams): Wanted | undefined {
  const parameter = (name: string) => query.get(name) || undefined
  const [words, service_id, session_id] = [parameter('query'), parameter('service'), parameter('session')]
  const [status, claimed, date] = [
    OPEN.find((one) => one === parameter('status')),
    parameter('claimed'),
    parameter('date'),
  ]
  if ((words ?? service_id ?? session_id ?? status) === undefined) return undefined
  return omitUndefined({
    order: words === undefined ? ('earliest_first' as const) : ('latest_first' as const),
    query: words,
    service_id,
    session_id,
    start_date: date,
    end_date: date,
    cursor: parameter('after'),
    statuses: status && [status],
    payment_claimed: claimed === undefined ? undefined : claimed === 'true',
  })
}

export async function bookingsPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView> {
  const { say } = deskRequest.request.localizer
  const found = readSearch(query)
    ? ((await bookingResults(query, deskRequest, dependencies)) ?? html`<p class="note">${say('desk.none')}</p>`)
    : await upcomingBookings(query, deskRequest, dependencies)
  return {
    status: 200,
    title: say('desk.bookings'),
    who: deskRequest.who,
    place: 'bookings',
    body: html`<form method="get" role="search" class="inline"><div><label for="query">${say('desk.search')}</label><input id="query" type="search" name="query" value="${query.get('query') ?? ''}" maxlength="200"></div><button>${say('desk.search.go')}</button></form>
${found}`,
  }
}

/** Lists the bookings from today on, the earliest first. The page shows this list before staff search. */
async function upcomingBookings(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const { say } = deskRequest.request.localizer
  const search: Wanted = {
    start_date: dateIn(await zoneOf(dependencies), dependencies.clock().getTime()),
    statuses: [...UPCOMING],
    cursor: query.get('after'),
  }
  const list = await bookingList(search, query, deskRequest, dependencies)
  if (list) return html`<h2>${say('desk.upcoming')}</h2>${list}`
  return html`<p class="note">${say('desk.upcoming.none')}</p>
<p><a class="button plain" href="/desk/book">${say('desk.book')}</a></p>`
}

/**
 * Lists the bookings that match the search in the query string. Returns undefined if there is no search, or if no
 * booking matches.
 */
export async function bookingResults(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const search = readSearch(query)
  return search && bookingList(search, query, deskRequest, dependencies)
}

async function bookingList(
  search: Wanted,
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const { localizer } = deskRequest.request
  const answer = await callAsStaff(listBookings, search, deskRequest, dependencies)
  if (answer.refusal) return html`<p class="note wrong" role="alert">${localizer.say('failure.refused.text')}</p>`
  const { bookings, pagination } = answer.result
  if (bookings.length === 0) return undefined
  const zone = await zoneOf(dependencies)
  return html`<ul class="steps bookings">
${bookings.map((one) => bookingLine(one, { localizer, zone, now: dependencies.clock(), isClaimed: search.payment_claimed === true }))}</ul>
${nextPageLink('/desk/bookings', query, pagination, localizer)}`
}

/** A line of a list of bookings. If the page is about the customer `knownName`, the line leaves this name out. */
export function bookingLine(one: Booking, shown: Parameters<typeof waitingText>[1], knownName?: string): Content {
  const name = fullName(guestOf(one))
  const what = `${shortMomentText(shown.localizer, new Date(one.slot.start), shown.zone)} · ${one.service_name}`
  return html`<li><a href="/desk/bookings/${one.id}">${
    name === knownName
      ? html`<strong>${what}</strong>`
      : html`<strong>${name}</strong><br>
${what}`
  }<br>
<span class="soft">${waitingText(one, shown) ?? shown.localizer.say(`my.state.${one.status}` satisfies Message)}</span></a></li>
`
}
