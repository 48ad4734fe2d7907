import { mailLink, phoneLink } from '../../core/business/contact-channels.ts'
import { zoneOf } from '../../core/business/definition-facts.ts'
import { isOver } from '../../domain/bookings/lifecycle.ts'
import { book } from '../../domain/desk/bookings/create-booking.ts'
import { mergeCustomers } from '../../domain/desk/customers/merge-customers.ts'
import { splitCustomer } from '../../domain/desk/customers/split-customer.ts'
import { noteCustomer } from '../../domain/desk/customers/write-customer-note.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { GetCustomer } from '../../protocol/types.generated.ts'
import { facts } from '../pages/name-value-list.ts'
import { queryOf } from '../pages/page-route-setup.ts'
import { truncated } from '../pages/read-form-and-query.ts'
import { bookingLine } from './bookings-page.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import { customerLine, customersFound } from './customers-page.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { readCustomer } from './read-customer.ts'

type Found = GetCustomer['output']

export async function customerPage(
  id: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | undefined> {
  const found = await readCustomer(id, deskRequest, dependencies)
  if (!found) return undefined
  const { who, request } = deskRequest
  const { customer, bookings } = found
  const { localizer } = request
  const { say, money } = localizer
  const zone = await zoneOf(dependencies)
  const now = dependencies.clock().getTime()
  const isAhead = ({ slot, status }: Found['bookings'][number]) => Date.parse(slot.end) > now && !isOver(status)
  const ahead = bookings.filter(isAhead).toReversed()
  const past = bookings.filter((one) => !isAhead(one))
  const list = (all: Found['bookings']) =>
    html`<ul class="steps bookings">${all.map((one) => bookingLine(one, { localizer, zone, now: dependencies.clock() }, customer.name))}</ul>`
  return {
    status: 200,
    title: customer.name,
    who,
    place: 'customers',
    body: html`${customer.tags.length > 0 && html`<p>${customer.tags.map((tag) => html`<span class="tag">${tag}</span> `)}</p>`}
${facts(
  [
    [say('book.field.phone'), several(customer.phone_numbers, phoneLink)],
    [say('book.field.email'), several(customer.emails, mailLink)],
    [say('desk.customer.visits'), String(customer.visits)],
    [say('desk.customer.no_shows'), customer.no_shows > 0 ? String(customer.no_shows) : undefined],
    [say('desk.customer.spent'), localizer.list(customer.spent.map(({ amount, currency }) => money(amount, currency)))],
  ],
  localizer,
)}
${isAllowed(who, book) && html`<p><a class="button plain" href="/desk/book?for=${customer.id}">${say('desk.book')}</a></p>`}
${isAllowed(who, noteCustomer) ? noteForm(found, deskRequest) : customer.note && html`<p>${customer.note}</p>`}
${ahead.length > 0 && html`<h2>${say('desk.customer.ahead')}</h2>${list(ahead)}`}
${past.length > 0 && html`<h2>${say('desk.customer.past')}</h2>${list(past)}`}
${isAllowed(who, mergeCustomers) && (await mergeForm(found, deskRequest, dependencies))}
${isAllowed(who, splitCustomer) && customer.contacts.length > 1 && splitForm(found, deskRequest)}`,
  }
}

const several = (all: readonly string[], linkTo: (text: string) => string): Content =>
  all.length > 0 &&
  html`${all.map((one, nth) => html`${nth > 0 && html`<br>`}<a href="${linkTo(one)}" dir="ltr">${one}</a>`)}`

const noteForm = ({ customer: { note, tags } }: Found, { request: { localizer } }: DeskRequest): Content =>
  html`<form method="post"><label for="note">${localizer.say('desk.customer.note')}</label><textarea id="note" name="note" rows="3" maxlength="5000">${note}</textarea>
<label for="tags">${localizer.say('desk.customer.tags')}</label><input id="tags" name="tags" value="${tags.join(', ')}" maxlength="840">
<button name="do" value="note">${localizer.say('desk.save')}</button></form>`

async function mergeForm(
  { customer }: Found,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const { say } = deskRequest.request.localizer
  const searchText = truncated(200, queryOf(deskRequest.request).get('other') ?? '')
  // The page suggests customers with the same phone number. It does not merge them by itself, because two customers
  // with the same phone number are not always the same person.
  const words = searchText || (customer.phone_numbers[0] ?? '')
  const candidates = words === '' ? [] : await customersFound(words, deskRequest, dependencies)
  const found = candidates.filter(
    ({ id, emails, phone_numbers }) => id !== customer.id && !isSame({ emails, phone_numbers }, customer),
  )
  return html`<details${searchText !== '' && html` open`}><summary>${say('desk.customer.merge')}</summary>
<form method="get" class="inline"><div><label for="other">${say('desk.customer.find')}</label><input id="other" type="search" name="other" value="${searchText}" maxlength="200" required></div><button>${say('desk.search.go')}</button></form>
${searchText !== '' && found.length === 0 && html`<p class="note" role="status">${say('desk.none')}</p>`}
${found.length > 0 && html`<form method="post"><input type="hidden" name="do" value="merge">${found.map((one) => html`<button class="plain" name="other" value="${one.id}">${say('desk.customer.merge.do')}<br>${customerLine(one)}</button>`)}</form>`}</details>`
}

type Ways = Pick<Found['customer'], 'emails' | 'phone_numbers'>
const isSame = (one: Ways, other: Ways): boolean =>
  one.emails.some((email) => other.emails.includes(email)) ||
  (one.emails.length + other.emails.length === 0 &&
    one.phone_numbers.some((number) => other.phone_numbers.includes(number)))

const splitForm = ({ customer: { contacts } }: Found, { request: { localizer } }: DeskRequest): Content =>
  html`<details><summary>${localizer.say('desk.customer.split')}</summary><form method="post"><input type="hidden" name="do" value="split">${contacts.map(
    (contact) =>
      html`<button class="plain" name="contact" value="${contact}">${localizer.say('desk.customer.split.do', { contact })}</button>`,
  )}</form></details>`

export async function submitCustomerChange(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const change = new Map(Object.entries(changesOf(id, form, deskRequest, dependencies))).get(form.get('do') ?? '')
  if (!change || !isAllowed(deskRequest.who, change.operation)) return missingRolePage(change?.operation, deskRequest)
  if (!(await readCustomer(id, deskRequest, dependencies))) return undefined
  const answer = await change.call()
  return { to: `/desk/customers/${answer.refusal ? encodeURIComponent(id) : answer.result.customer.id}` }
}

function changesOf(id: string, form: URLSearchParams, deskRequest: DeskRequest, dependencies: DeskDependencies) {
  const text = (name: string, most: number) => truncated(most, form.get(name)?.trim() ?? '')
  const tags = [
    ...new Set(
      text('tags', 840)
        .split(/[,،、]/)
        .map((tag) => truncated(40, tag.trim())),
    ),
  ]
    .filter(Boolean)
    .slice(0, 20)
  return {
    note: {
      operation: noteCustomer,
      call: () =>
        callAsStaff(noteCustomer, { customer_id: id, note: text('note', 5000), tags }, deskRequest, dependencies),
    },
    merge: {
      operation: mergeCustomers,
      call: () =>
        callAsStaff(
          mergeCustomers,
          { customer_id: id, other_id: text('other', 100) || '-' },
          deskRequest,
          dependencies,
        ),
    },
    split: {
      operation: splitCustomer,
      call: () =>
        callAsStaff(
          splitCustomer,
          { customer_id: id, contact: text('contact', 254) || '-' },
          deskRequest,
          dependencies,
        ),
    },
  }
}
