import { isPhoneNumber } from '../../../core/business/contact-channels.ts'
import { folded } from '../../../infra/util/plain-text.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ListCustomers } from '../../../protocol/types.generated.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { CUSTOMERS_MOST } from '../shared/desk-list-limits.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { addressesOfNumbers, bookingsOfPeople, customersFind, ownerOf, ownersOf } from './customer-queries.ts'
import { nameAndContacts, summaryProperties, summaryRequired } from './customer-schema.ts'
import { contactsOf, groupBySharedContacts, phoneContact } from './match-customers-by-contact.ts'

/** Splits a customer search into words, longest first. The database searches for the first word first. */
const wordsOf = (query: string): string[] =>
  isPhoneNumber(query)
    ? [phoneContact(query)]
    : folded(query)
        .replace(/[\\%_]/g, ' ')
        .split(/\s+/)
        .filter(Boolean)
        .slice(0, 6)
        .toSorted((one, other) => other.length - one.length)

/** One customer search reads at most this many bookings. The server then groups these bookings into customers. */
const MAX_GROUPED_BOOKINGS = 400

export const listCustomers = defineOperation<ListCustomers>({
  ...atDesk,
  id: 'listCustomers',
  rest: 'POST /business/customers/list',
  tool: 'usp_business_customers_list',
  title: 'Find customers',
  description:
    'Finds customers by name, phone number or email address, each once. A wrong letter or a missing accent is ' +
    'tolerated, and the closest match comes first. Without a query, the customers with the latest bookings. Up ' +
    `to ${CUSTOMERS_MOST}.`,
  effect: 'read',
  input: {
    type: 'object',
    properties: {
      query: { type: 'string', maxLength: 200, description: 'Parts of the name, phone number or email address.' },
    },
  },
  output: {
    type: 'object',
    required: ['customers'],
    properties: {
      customers: {
        type: 'array',
        items: { type: 'object', required: [...summaryRequired], properties: summaryProperties },
      },
    },
  },
  summary: ({ customers: { length } }) => `${length} ${length === 1 ? 'customer' : 'customers'}.`,
  async handle({ input: { query = '' }, db }) {
    const found = await bookingsOfPeople(db, wordsOf(query), MAX_GROUPED_BOOKINGS)
    const addresses = await addressesOfNumbers(db, found)
    const contactsIn = (one: BookingRow) => contactsOf(one, addresses)
    const waysTo = (one: BookingRow) => [one.id, ...contactsIn(one)]
    const owners = await ownersOf(db, found.flatMap(waysTo))
    const customerOf = (one: BookingRow) => ownerOf(owners, waysTo(one))
    // Bookings of the same customer record belong together. The server groups all other bookings by their contacts,
    // such as the email address.
    const people = groupBySharedContacts(found, (one) => {
      const owner = customerOf(one)
      return owner === undefined ? contactsIn(one) : [owner]
    })
    const shown = people.slice(0, CUSTOMERS_MOST)
    const ids = shown.flatMap(([first]) => (first && customerOf(first)) ?? [])
    const records = new Map((await customersFind(db, ids)).map((record) => [record.id, record]))
    const customers = shown.flatMap((bookings) => {
      const [first] = bookings
      const record = first && records.get(customerOf(first) ?? '')
      return first ? { id: record?.id ?? first.id, ...nameAndContacts(bookings), tags: record?.tags ?? [] } : []
    })
    return { customers }
  },
})
