import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { Database } from '../../../infra/db/database.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import type { ChangeContext } from '../../../protocol/define-operation.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { bookingFind } from '../../bookings/queries.ts'
import { notFound } from '../shared/operation-defaults.ts'
import {
  addressesOfNumbers,
  bookingsOfContacts,
  type CustomerRow,
  contactsAssign,
  contactsOfCustomer,
  customerFind,
  customerInsert,
  customerUpdate,
  ownerOf,
  ownersOf,
} from './customer-queries.ts'
import { contactsOf } from './match-customers-by-contact.ts'

/**
 * A customer as the staff see them. `record` contains the note and the tags of the staff, or is undefined if the
 * customer has no record. `contacts` contains the email addresses, phone numbers and booking ids of the customer. The
 * latest booking comes first.
 */
export interface Person {
  record: CustomerRow | undefined
  contacts: string[]
  bookings: BookingRow[]
}

const MOST_BOOKINGS = 500
/**
 * The maximum number of rounds in the search for all bookings of a customer. Each round can find new contacts. For
 * example, an email address leads to a phone number, and the number leads to bookings without an email address.
 */
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
    const known = [...new Set([...recorded, ...free])]
    const bookings = await bookingsOfContacts(db, { contacts: known, customer, most: MOST_BOOKINGS })
    const addresses = await addressesOfNumbers(db, bookings)
    contacts = [...new Set([...known, ...bookings.flatMap((booking) => contactsOf(booking, addresses))])]
    if (contacts.length > known.length && round < ROUNDS) continue
    const record = customer === undefined ? undefined : await customerFind(db, customer)
    if (customer !== undefined && !record) throw notFound('customer', id)
    return { record, contacts: known, bookings }
  }
}

async function contactsOfBooking(db: Database, id: string): Promise<string[]> {
  const booking = await bookingFind(db, id, undefined, { lock: false })
  return booking && !booking.people.erased ? contactsOf(booking, await addressesOfNumbers(db, [booking])) : []
}

/**
 * Returns the id of the customer's record, and creates the record if it does not exist. The record gets all contacts of
 * the customer that belong to no other customer.
 */
export async function ensureRecord(tx: UnitOfWork, { record, contacts }: Person, now: Date): Promise<string> {
  const id = record?.id ?? (await customerInsert(tx, { note: '', tags: [] }, now))
  await contactsAssign(tx, { contacts, to: id, from: [] })
  return id
}

/**
 * Stores the staff's note about a customer, and returns the id of the customer's record. The calling code must already
 * hold the lock that `customersLock` takes.
 */
export async function writeNote(
  { db, caller, now }: Pick<ChangeContext<unknown>, 'db' | 'caller' | 'now'>,
  person: Awaited<ReturnType<typeof findPerson>>,
  content: { note: string; tags: string[] },
): Promise<string> {
  const id = await ensureRecord(db, person, now)
  await customerUpdate(db, { id, ...content })
  // The audit log is permanent. Therefore its entry about a changed note does not contain the note.
  insertAuditEntry(
    db,
    { actor: caller.principal, action: 'note', subject: `customer ${id}`, from: null, to: null },
    now,
  )
  return id
}
