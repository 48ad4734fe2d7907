import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { sameEmail } from '../../accounts/buyer-accounts.ts'
import { hasNumberFromStaff } from '../../bookings/number-from-staff.ts'
import { phoneContact } from '../customers/contacts.ts'
import { bookingOwner } from '../shared/customer-of-booking.ts'
import { bookingsOfEmail, bookingsOnceOfEmail } from '../shared/queries.ts'
import { entriesOfEmail } from '../waitlist/entry-queries.ts'
import { bookingsOfNumber, entriesOfNumber, hasNumberAlone, isOfNumberAlone } from './of-number.ts'

/** What is of one person, by the one way in which they are known: all that is kept of them is found by it. */
export interface Own {
  bookings: string[]
  entries: string[]
  /** What these are in the journal, in events and in mails, and what was theirs before. */
  subjects: string[]
  /** Whether what was told names them. What is told of a booking names whoever it was of by then. */
  isNamedIn(told: RawBuilder<unknown>): RawBuilder<boolean>
  /** Whether a mail `m` went to them. */
  isTo: RawBuilder<boolean>
  /** Whether a record `c` is of them. */
  isRecord: RawBuilder<boolean>
  /** Of their account, which has no other name. */
  email?: string
}

export async function ownOfEmail(db: Database, given: string): Promise<Own> {
  const [bookings, entries] = [await bookingsOfEmail(db, given), await entriesOfEmail(db, given)]
  const email = sameEmail(given)
  return {
    ...{ bookings, entries, email },
    subjects: subjectsOf([...bookings, ...(await bookingsOnceOfEmail(db, given))], entries),
    // Not what has an address that this one is part of.
    isNamedIn: (told) => sql`strpos(lower(${told}::text), to_json(${email}::text)::text) > 0`,
    isTo: sql`lower(m.recipient) = ${email}`,
    // A record with other addresses may be of others too.
    isRecord: sql`c.id in (select customer_id from customer_contacts where contact = ${email})
      and not exists (select from customer_contacts o where o.customer_id = c.id and o.contact like '%@%' and o.contact <> ${email})`,
  }
}

/**
 * Of whoever is known by a number alone. Who has an address too is known by that: several may share a number, and whoever asks
 * is given nothing of the others.
 */
export async function ownOfNumber(db: Database, number: string): Promise<Own> {
  const [bookings, entries] = [await bookingsOfNumber(db, number), await entriesOfNumber(db, number)]
  const contact = phoneContact(number)
  return {
    ...{ bookings, entries },
    subjects: subjectsOf(bookings, entries),
    isNamedIn: (told) => sql`exists (
      select from jsonb_path_query(${told}::text::jsonb, 'strict $.** ? (exists (@.phone_number))') person
      where ${isOfNumberAlone(sql`person`, number)})`,
    isTo: hasNumberAlone({ email: sql`m.recipient`, phone: sql`m.phone` }, number),
    // Nor is what is noted of somebody who has an address as well, for it may be of them.
    isRecord: sql`c.id in (select customer_id from customer_contacts where contact = ${contact})
      and not exists (select from customer_contacts o where o.customer_id = c.id and o.contact like '%@%')
      and not exists (
        select from bookings b
        where b.search_text <> '' and phone_contact(b.people #>> '{buyer,phone_number}') = ${contact}
          and not ${isOfNumberAlone(sql`b.people::jsonb -> 'buyer'`, number)}
          and (${hasNumberFromStaff} and coalesce(${bookingOwner}, c.id) = c.id or ${bookingOwner} = c.id))`,
  }
}

const subjectsOf = (bookings: readonly string[], entries: readonly string[]) => [
  ...bookings.map((id) => `booking ${id}`),
  ...entries.map((id) => `entry ${id}`),
]
