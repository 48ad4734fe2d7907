import { hasAccounts, policyOf } from '../../core/authentication/authentication-policy.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { View } from '../pages/page-layout.ts'
import { LISTS, type List, type ListDependencies, type Listed, listed } from './booking-lists.ts'
import type { Item, ListViewer } from './list-item-types.ts'

/**
 * The page with all bookings and waitlist entries of a signed-in buyer. If the URL names one list, the page shows the
 * next part of this list.
 */
export async function bookingsPage(
  query: URLSearchParams,
  looking: ListViewer,
  dependencies: ListDependencies & Dependencies<'business'>,
): Promise<View> {
  const { account, definition, localizer } = looking
  const { say } = localizer
  const only = LISTS.find((list) => list === query.get('list'))
  const cursor = query.get('after') ?? ''
  const lists = await Promise.all(
    (only ? [only] : LISTS).map(async (list) => ({ list, ...(await listed(list, cursor, looking, dependencies)) })),
  )
  return {
    status: 200,
    title: say('my.title'),
    body: html`<p>${say('my.signed_in', { email: account.email })}</p>
${lists.map((one) => section(one, localizer))}
${only && html`<p><a class="button plain" href="/my">${say('my.all')}</a></p>`}
<form method="post" action="/my" class="done">
<button name="do" value="leave" class="plain">${say('my.leave')}</button>
<button name="do" value="leave_everywhere" class="plain">${say('my.leave_everywhere')}</button>
</form>
${hasAccounts(policyOf(definition, dependencies.config)) && html`<p><a class="button plain" href="/account">${say('my.apps')}</a></p>`}`,
  }
}

/**
 * The section of the page for one list of bookings or waitlist entries. The page has no section for an empty list. If
 * the buyer has no future bookings, a note says so.
 */
function section({ list, items, next }: Listed & { list: List }, { say }: Localizer): Content {
  if (items.length === 0) return list === 'ahead' && html`<p class="note">${say('my.nothing_ahead')}</p>`
  return html`<h2>${say(`my.${list}`)}</h2>
<ul class="steps bookings">
${items.map(line)}</ul>
${next !== undefined && html`<p><a class="button plain" href="/my?${String(new URLSearchParams({ list, after: next }))}">${say(`my.${list}.more`)}</a></p>`}`
}

const line = ({ what, when, where, state, url }: Item) => html`<li><a href="${url}"><strong>${what}</strong><br>
${when}<br>
<span class="soft">${[state, where].filter((text) => text !== undefined).join(' · ')}</span></a></li>
`
