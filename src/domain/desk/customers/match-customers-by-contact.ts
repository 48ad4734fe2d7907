import { isUndeliverable } from '../../../infra/util/email-address.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'

/**
 * Returns the last nine digits of a phone number, by which the server finds customers. The SQL function `phone_contact`
 * must return the same digits.
 */
export const phoneContact = (number: string): string => number.replace(/\D/g, '').slice(-9)

/**
 * Maps phone numbers (their last nine digits) to email addresses. The map contains a number only if the staff connected
 * exactly one address with it.
 */
export type AddressOfNumber = ReadonlyMap<string, string>

export const numberOf = ({ people: { buyer } }: Pick<BookingRow, 'people'>): string =>
  phoneContact(buyer.phone_number ?? '')

/**
 * Returns the contacts by which the server finds all bookings of a person: the email address, or else the phone number,
 * or else the booking id. The result contains both email address and phone number if the map `addresses` connects them.
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
 * Puts items that share a contact, such as an email address, into one group. Items also belong together if a third item
 * connects them. A group has the position of its first item in the list.
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
