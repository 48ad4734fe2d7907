import { isUndeliverable } from '../../../infra/util/email-address.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'

/**
 * The last nine digits of a phone number. The server finds customers by these digits. Must match the function
 * `phone_contact` in the database.
 */
export const phoneContact = (number: string): string => number.replace(/\D/g, '').slice(-9)

/**
 * Maps a phone number to an email address, if the staff entered exactly one address with this number. The keys are the
 * last digits of the numbers (see `phoneContact`).
 */
export type AddressOfNumber = ReadonlyMap<string, string>

export const numberOf = ({ people: { buyer } }: Pick<BookingRow, 'people'>): string =>
  phoneContact(buyer.phone_number ?? '')

/**
 * The contacts of a person, as in the table `customer_contacts`. With them, the server finds the bookings of the person.
 * A contact is the email address, or else the phone number, or else the booking id. An email address and a number count as one person if the
 * staff entered them together, and entered no other address with this number.
 */
export function contactsOf(booking: Pick<BookingRow, 'id' | 'people'>, addresses: AddressOfNumber): string[] {
  const number = numberOf(booking)
  const known = addresses.get(number)
  const email = booking.people.buyer.email.toLowerCase()
  if (email !== '' && !isUndeliverable(email)) return known === email ? [email, number] : [email]
  if (number === '') return [booking.id]
  return known === undefined ? [number] : [number, known]
}

/**
 * Groups all items that share a contact, directly or through other items. A group takes the position of its first item.
 */
export function groupBySharedContacts<T>(all: readonly T[], contactsIn: (one: T) => readonly string[]): T[][] {
  const groups: { contacts: Set<string>; members: T[] }[] = []
  for (const one of all) {
    const contacts = contactsIn(one)
    const [first, ...others] = groups.filter((group) => contacts.some((contact) => group.contacts.has(contact)))
    if (!first) {
      groups.push({ contacts: new Set(contacts), members: [one] })
      continue
    }
    for (const other of others) {
      groups.splice(groups.indexOf(other), 1)
      first.members.push(...other.members)
      for (const contact of other.contacts) first.contacts.add(contact)
    }
    first.members.push(one)
    for (const contact of contacts) first.contacts.add(contact)
  }
  return groups.map(({ members }) => members)
}
