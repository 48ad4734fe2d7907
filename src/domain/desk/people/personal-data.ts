import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { normalizedEmail } from '../../accounts/buyer-accounts.ts'
import { hasNumberFromStaff } from '../../bookings/people.ts'
import { phoneContact } from '../customers/contacts.ts'
import { bookingOwner, bookingsOfEmail, bookingsOnceOfEmail } from '../shared/queries.ts'
import { entriesOfEmail } from '../waitlist/entry-queries.ts'
import { bookingsOfNumber, entriesOfNumber, hasOnlyNumber, isPersonWithOnlyNumber } from './people-by-phone-number.ts'

/** Everything stored about one person, found by a single contact. */
export interface PersonalData {
  bookings: string[]
  entries: string[]
  /** Subjects in the audit log, events and mails, including bookings that were theirs before. */
  subjects: string[]
  /** Whether a stored text names them. A text about a booking names the people that it had then. */
  isNamedIn(text: RawBuilder<unknown>): RawBuilder<boolean>
  /** Whether the mail `m` went to them. */
  isTo: RawBuilder<boolean>
  /** Whether the record `c` is theirs. */
  isRecord: RawBuilder<boolean>
  email?: string
}

export async function dataOfEmail(db: Database, address: string): Promise<PersonalData> {
  const [bookings, entries] = [await bookingsOfEmail(db, address), await entriesOfEmail(db, address)]
  const email = normalizedEmail(address)
  return {
    bookings,
    entries,
    email,
    subjects: subjectsOf([...bookings, ...(await bookingsOnceOfEmail(db, address))], entries),
    // Compares with the quotes of JSON: a longer address does not match.
    isNamedIn: (text) => sql`strpos(lower(${text}::text), to_json(${email}::text)::text) > 0`,
    isTo: sql`lower(m.recipient) = ${email}`,
    // A record with other addresses may belong to other people too.
    isRecord: sql`c.id in (select customer_id from customer_contacts where contact = ${email})
      and not exists (select from customer_contacts o where o.customer_id = c.id and o.contact like '%@%' and o.contact <> ${email})`,
  }
}

/**
 * For people known only by a number. Several people may share a number, and a person must not get data of the others.
 * People who also have an address are found by the address.
 */
export async function dataOfNumber(db: Database, number: string): Promise<PersonalData> {
  const [bookings, entries] = [await bookingsOfNumber(db, number), await entriesOfNumber(db, number)]
  const contact = phoneContact(number)
  return {
    bookings,
    entries,
    subjects: subjectsOf(bookings, entries),
    isNamedIn: (text) => sql`exists (
      select from jsonb_path_query(${text}::text::jsonb, 'strict $.** ? (exists (@.phone_number))') person
      where ${isPersonWithOnlyNumber(sql`person`, number)})`,
    isTo: hasOnlyNumber({ email: sql`m.recipient`, phone: sql`m.phone` }, number),
    // Leaves out a record that may belong to a person with an address.
    isRecord: sql`c.id in (select customer_id from customer_contacts where contact = ${contact})
      and not exists (select from customer_contacts o where o.customer_id = c.id and o.contact like '%@%')
      and not exists (
        select from bookings b
        where b.search_text <> '' and phone_contact(b.people #>> '{buyer,phone_number}') = ${contact}
          and not ${isPersonWithOnlyNumber(sql`b.people::jsonb -> 'buyer'`, number)}
          and (${hasNumberFromStaff} and coalesce(${bookingOwner}, c.id) = c.id or ${bookingOwner} = c.id))`,
  }
}

const subjectsOf = (bookings: readonly string[], entries: readonly string[]) => [
  ...bookings.map((id) => `booking ${id}`),
  ...entries.map((id) => `entry ${id}`),
]
