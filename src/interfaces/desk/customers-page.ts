import { listCustomers } from '../../domain/desk/customers/list-customers.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { ListCustomers } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import { truncated } from '../pages/read-form-and-query.ts'
import { carriedQuery } from './booking-form-query.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './call-operation-as-staff.ts'
import { tagList } from './day-entries.ts'
import type { DeskView } from './desk-page.ts'

export type Customer = ListCustomers['output']['customers'][number]

/**
 * Shows the page where staff search customers by name, phone number or email address. If staff came from the booking
 * form, each customer links back to the booking form.
 */
export async function customersPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView> {
  const { say } = deskRequest.request.localizer
  const words = truncated(200, query.get('query') ?? '')
  const service = query.get('service')
  const booking = service === null ? undefined : { ...carriedQuery(query), service }
  const addressOf = ({ id }: Customer) =>
    booking ? `/desk/book?${new URLSearchParams({ ...booking, for: id })}` : `/desk/customers/${id}`
  const found = await customersFound(words, deskRequest, dependencies)
  return {
    status: 200,
    title: say('desk.customers'),
    who: deskRequest.who,
    place: 'customers',
    body: html`<form method="get" role="search" class="inline">${hidden(booking ?? {})}<div><label for="query">${say('desk.customer.find')}</label><input id="query" type="search" name="query" value="${words}" maxlength="200"></div><button>${say('desk.search.go')}</button></form>
${
  found.length === 0
    ? html`<p class="note" role="status">${say('desk.none')}</p>`
    : html`<ul class="steps bookings">${found.map(
        (one) => html`<li><a href="${addressOf(one)}">${customerLine(one)}</a></li>
`,
      )}</ul>`
}`,
  }
}

export async function customersFound(
  query: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Customer[]> {
  const answer = await callAsStaff(listCustomers, query === '' ? {} : { query }, deskRequest, dependencies)
  return answer.refusal ? [] : answer.result.customers
}

export const customerLine = ({ name, emails, phone_numbers, tags }: Customer): Content =>
  html`<strong>${name}</strong>${tagList(tags)}<br>
<span class="soft" dir="auto">${[...phone_numbers.slice(0, 1), ...emails.slice(0, 1)].join(' · ')}</span>`
