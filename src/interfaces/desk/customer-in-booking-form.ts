import { isOver } from '../../domain/bookings/lifecycle.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { GetCustomer } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import { carriedQuery } from './booking-form-query.ts'
import { bookingLine } from './bookings-page.ts'
import type { DeskDependencies, DeskRequest } from './call-operation-as-staff.ts'

/** The id of the form that searches customers. Its field stands inside the booking form, beside the free times. */
const SEARCH_FORM = 'find-customer'
/** The maximum number of listed visits. */
const MAX_VISITS = 4

/** The parts of the search for customers: the form itself, and its field. One form cannot contain another. */
export function customerSearch(
  serviceId: string,
  query: URLSearchParams,
  { request: { localizer } }: DeskRequest,
): { form: Content; field: Content } {
  const { say } = localizer
  return {
    form: html`<form method="get" action="/desk/customers" role="search" id="${SEARCH_FORM}">${hidden({ ...carriedQuery(query), service: serviceId })}</form>`,
    field: html`<div class="inline find-customer"><div><label for="query">${say('desk.customer.find')}</label><input id="query" type="search" name="query" form="${SEARCH_FORM}" maxlength="200" required></div><button class="plain" form="${SEARCH_FORM}">${say('desk.search.go')}</button></div>`,
  }
}

/** Lists the latest visits of the chosen customer, with the services and the people. */
export function latestVisits(
  { bookings, customer }: GetCustomer['output'],
  zone: string,
  { request: { localizer } }: DeskRequest,
  { clock }: DeskDependencies,
): Content {
  const now = clock()
  const past = bookings
    .filter(({ slot, status }) => isOver(status) || Date.parse(slot.end) <= now.getTime())
    .toSorted((one, other) => Date.parse(other.slot.start) - Date.parse(one.slot.start))
  return (
    past.length > 0 &&
    html`<h2>${localizer.say('desk.customer.past')}</h2><ul class="steps bookings">${past
      .slice(0, MAX_VISITS)
      .map((one) => bookingLine(one, { localizer, zone, now }, customer.name))}</ul>`
  )
}
