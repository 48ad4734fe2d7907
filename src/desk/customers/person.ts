import type { BookingRow } from '../../bookings/booking-row.ts'
import { bookingFind } from '../../bookings/queries.ts'
import type { Database } from '../../db/database.ts'
import { notFound } from '../shared/operation-parts.ts'
import { contactsOf } from './contacts.ts'
import {
  bookingsOfContacts,
  type CustomerRow,
  contactsOfCustomer,
  customerFind,
  customerOfContacts,
} from './customer-queries.ts'

/** Somebody who books: what is noted of them, where anything is, and what they booked, the latest first. */
export interface Person {
  record: CustomerRow | undefined
  /** By which they are known, those of their bookings included. */
  contacts: string[]
  bookings: BookingRow[]
}

/** Of one person so many are looked at. */
const MOST_BOOKINGS = 500
/** An address leads to a number, and that to another address: nobody has changed both so often. */
const ROUNDS = 4

/** By the id of a record, or of any booking of theirs. */
export async function findPerson(db: Database, id: string): Promise<Person> {
  const known = id.startsWith('cus_') ? [] : await contactsOfBooking(db, id)
  const customer = known.length > 0 ? await customerOfContacts(db, known) : id
  const record = customer === undefined ? undefined : await customerFind(db, customer)
  if (!record && known.length === 0) throw notFound('customer', id)
  let contacts = record ? await contactsOfCustomer(db, record.id) : known
  for (let round = 1; ; round++) {
    const bookings = await bookingsOfContacts(db, { contacts, customer: record?.id, most: MOST_BOOKINGS })
    const more = [...new Set([...contacts, ...bookings.flatMap(contactsOf)])]
    if (more.length === contacts.length || round === ROUNDS) return { record, contacts: more, bookings }
    contacts = more
  }
}

async function contactsOfBooking(db: Database, id: string): Promise<string[]> {
  const booking = await bookingFind(db, id, undefined, { lock: false })
  return booking && !booking.people.erased ? contactsOf(booking) : []
}
