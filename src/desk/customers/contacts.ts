import { leadsNowhere } from '../../basics/email-address.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'

/** By what the bookings of a person are found, as `customer_contacts` has it. */
export function contactsOf({ id, people: { buyer } }: Pick<BookingRow, 'id' | 'people'>): string[] {
  const { email, phone_number = '' } = buyer
  const mail = leadsNowhere(email) ? [] : [email.toLowerCase()]
  const phone = phoneContact(phone_number)
  const ways = [...mail, ...(phone === '' ? [] : [phone])]
  return ways.length > 0 ? ways : [id]
}

/** The same as the function of this name in the database. */
export const phoneContact = (number: string): string => number.replace(/\D/g, '').slice(-9)

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
