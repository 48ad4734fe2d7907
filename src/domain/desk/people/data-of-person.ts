import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { normalizedEmail } from '../../accounts/buyer-accounts.ts'
import { hasNumberFromStaff } from '../../bookings/people.ts'
import { phoneContact } from '../customers/contacts.ts'
import { bookingOwner, bookingsOfEmail, bookingsOnceOfEmail } from '../shared/queries.ts'
import { entriesOfEmail } from '../waitlist/entry-queries.ts'
import { checkoutsOfEmail, checkoutsOfNumber } from './checkouts-of-person.ts'
import { bookingsOfNumber, entriesOfNumber, hasOnlyNumber, isPersonWithOnlyNumber } from './people-by-phone-number.ts'

/** All stored data about one person. The server finds the data by one contact of the person. */
export interface PersonalData {
  bookings: string[]
  entries: string[]
  /** The UCP checkouts that are not completed. */
  checkouts: string[]
  /**
   * The subjects of the person in the audit log, events and mails. They include bookings that named the person before a
   * correction.
   */
  subjects: string[]
  /**
   * Whether a stored text names the person, as SQL. A stored text about a booking contains the people that the booking
   * had at that time.
   */
  isNamedIn(text: RawBuilder<unknown>): RawBuilder<boolean>
  /** Whether the mail `m` was sent to the person, as SQL. */
  isTo: RawBuilder<boolean>
  /** Whether the customer record `c` belongs to the person, as SQL. */
  isRecord: RawBuilder<boolean>
  email?: string
}

export async function dataOfEmail(db: Database, address: string): Promise<PersonalData> {
  const [bookings, entries] = [await bookingsOfEmail(db, address), await entriesOfEmail(db, address)]
  const checkouts = await checkoutsOfEmail(db, address)
  const email = normalizedEmail(address)
  return {
    bookings,
    entries,
    checkouts,
    email,
    subjects: subjectsOf([...bookings, ...(await bookingsOnceOfEmail(db, address))], entries, checkouts),
    // The comparison includes the quotation marks of JSON, so that a longer address does not match.
    isNamedIn: (text) => sql`strpos(lower(${text}::text), to_json(${email}::text)::text) > 0`,
    isTo: sql`lower(m.recipient) = ${email}`,
    // A customer record with other email addresses may belong to other people too, so it is left out.
    isRecord: sql`c.id in (select customer_id from customer_contacts where contact = ${email})
      and not exists (select from customer_contacts o where o.customer_id = c.id and o.contact like '%@%' and o.contact <> ${email})`,
  }
}

/**
 * The data of a person who has only a phone number. Several people may share a number, and no person may get the data
 * of the others. `dataOfEmail` finds people who also have an email address.
 */
export async function dataOfNumber(db: Database, number: string): Promise<PersonalData> {
  const [bookings, entries] = [await bookingsOfNumber(db, number), await entriesOfNumber(db, number)]
  const checkouts = await checkoutsOfNumber(db, number)
  const contact = phoneContact(number)
  return {
    bookings,
    entries,
    checkouts,
    subjects: subjectsOf(bookings, entries, checkouts),
    isNamedIn: (text) => sql`exists (
      select from jsonb_path_query(${text}::text::jsonb, 'strict $.** ? (exists (@.phone_number))') person
      where ${isPersonWithOnlyNumber(sql`person`, number)})`,
    isTo: hasOnlyNumber({ email: sql`m.recipient`, phone: sql`m.phone` }, number),
    // A customer record that may belong to a person with an email address is left out.
    isRecord: sql`c.id in (select customer_id from customer_contacts where contact = ${contact})
      and not exists (select from customer_contacts o where o.customer_id = c.id and o.contact like '%@%')
      and not exists (
        select from bookings b
        where b.search_text <> '' and phone_contact(b.people #>> '{buyer,phone_number}') = ${contact}
          and not ${isPersonWithOnlyNumber(sql`b.people::jsonb -> 'buyer'`, number)}
          and (${hasNumberFromStaff} and coalesce(${bookingOwner}, c.id) = c.id or ${bookingOwner} = c.id))`,
  }
}

const subjectsOf = (bookings: readonly string[], entries: readonly string[], checkouts: readonly string[]) => [
  ...bookings.map((id) => `booking ${id}`),
  ...entries.map((id) => `entry ${id}`),
  ...checkouts.map((id) => `checkout ${id}`),
]
