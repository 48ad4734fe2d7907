import { leadsNowhere } from '../../../infra/util/email-address.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'

/** The same as the function of this name in the database. */
export const phoneContact = (number: string): string => number.replace(/\D/g, '').slice(-9)

/** The only address with which the staff entered a number, by the number as a contact. */
export type AddressOfNumber = ReadonlyMap<string, string>

export const numberOf = ({ people: { buyer } }: Pick<BookingRow, 'people'>): string =>
  phoneContact(buyer.phone_number ?? '')

/**
 * By what the bookings of a person are found, as `customer_contacts` has it: the address, else the number, else the id of the
 * booking. An address and a number are of one person where the staff entered both, and entered no other address with the number.
 */
export function contactsOf(booking: Pick<BookingRow, 'id' | 'people'>, addresses: AddressOfNumber): string[] {
  const number = numberOf(booking)
  const known = addresses.get(number)
  const email = booking.people.buyer.email.toLowerCase()
  if (email !== '' && !leadsNowhere(email)) return known === email ? [email, number] : [email]
  if (number === '') return [booking.id]
  return known === undefined ? [number] : [number, known]
}

/** Those who share any of these are one person: each as the first of them, by which they are put together. */
export function together<T>(all: readonly T[], contactsIn: (one: T) => readonly string[]): T[][] {
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
