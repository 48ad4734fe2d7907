import { isUndeliverable } from '../../../infra/util/email-address.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'

/** Same as the function `phone_contact` in the database. */
export const phoneContact = (number: string): string => number.replace(/\D/g, '').slice(-9)

/** The only address that the staff entered with a number; the keys are numbers as contacts. */
export type AddressOfNumber = ReadonlyMap<string, string>

export const numberOf = ({ people: { buyer } }: Pick<BookingRow, 'people'>): string =>
  phoneContact(buyer.phone_number ?? '')

/**
 * The contacts that find a person's bookings, as in `customer_contacts`: the address, else the number, else the booking
 * id.
 * An address and a number belong to one person if the staff entered both, and entered no other address with the number.
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
 * Groups all items that share contacts, directly or through others. A group stands at the position of its first member.
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
