import type { Database } from '../../../infra/db/database.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { bookingFind } from '../../bookings/queries.ts'
import { notFound } from '../shared/operation-parts.ts'
import { contactsOf } from './contacts.ts'
import {
  addressesOfNumbers,
  bookingsOfContacts,
  type CustomerRow,
  contactsOfCustomer,
  customerFind,
  ownerOf,
  ownersOf,
} from './customer-queries.ts'

/** A person who books: the staff's record, if any, and the bookings, the latest first. */
export interface Person {
  record: CustomerRow | undefined
  contacts: string[]
  bookings: BookingRow[]
}

const MOST_BOOKINGS = 500
/** Each round can find new contacts: an address leads to a number, and the number to bookings without an address. */
const ROUNDS = 4

export async function findPerson(db: Database, id: string): Promise<Person> {
  let customer = id.startsWith('cus_') ? id : (await ownersOf(db, [id])).get(id)
  let contacts = customer === undefined ? await contactsOfBooking(db, id) : []
  if (customer === undefined && contacts.length === 0) throw notFound('customer', id)
  for (let round = 1; ; round++) {
    const owners = await ownersOf(db, contacts)
    customer ??= ownerOf(owners, contacts)
    const free = contacts.filter((contact) => (owners.get(contact) ?? customer) === customer)
    const recorded = customer === undefined ? [] : await contactsOfCustomer(db, customer)
    const own = [...new Set([...recorded, ...free])]
    const bookings = await bookingsOfContacts(db, { contacts: own, customer, most: MOST_BOOKINGS })
    const addresses = await addressesOfNumbers(db, bookings)
    contacts = [...new Set([...own, ...bookings.flatMap((booking) => contactsOf(booking, addresses))])]
    if (contacts.length > own.length && round < ROUNDS) continue
    const record = customer === undefined ? undefined : await customerFind(db, customer)
    if (customer !== undefined && !record) throw notFound('customer', id)
    return { record, contacts: own, bookings }
  }
}

async function contactsOfBooking(db: Database, id: string): Promise<string[]> {
  const booking = await bookingFind(db, id, undefined, { lock: false })
  return booking && !booking.people.erased ? contactsOf(booking, await addressesOfNumbers(db, [booking])) : []
}
