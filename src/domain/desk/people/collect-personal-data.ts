import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { normalizedEmail } from '../../accounts/buyer-accounts.ts'
import { bookingsOfEmail, bookingsOnceOfEmail } from '../shared/booking-and-change-queries.ts'
import { entriesOfEmail } from '../waitlist/entry-queries.ts'
import { checkoutsOfEmail, checkoutsOfNumber } from './checkouts-of-person.ts'
import {
  bookingsOfNumber,
  entriesOfNumber,
  hasOnlyNumber,
  isPersonWithOnlyNumber,
  isRecordOfNumber,
} from './people-by-phone-number.ts'

/** All stored data about one person, found by an email address or a phone number. */
export interface PersonalData {
  bookings: string[]
  entries: string[]
  /** The ids of the person's UCP checkouts that are not completed. */
  checkouts: string[]
  /**
   * The names of the person's bookings, waitlist entries and UCP checkouts in the audit log, events and mails, such as
   * `booking bkg_1`. The list includes bookings that named the person before a correction.
   */
  subjects: string[]
  /**
   * Returns an SQL condition that is true if a stored text contains the person's email address or phone number. An old
   * text can name another person than the current booking.
   */
  isNamedIn(text: RawBuilder<unknown>): RawBuilder<boolean>
  /** An SQL condition that is true if the server sent the mail `m` to the person. */
  isTo: RawBuilder<boolean>
  /** An SQL condition that is true if the customer record `c` belongs to the person. */
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
    // The searched text includes the JSON quotation marks around the email address. Otherwise, the search would also
    // find longer addresses with the same ending.
    isNamedIn: (text) => sql`strpos(lower(${text}::text), to_json(${email}::text)::text) > 0`,
    isTo: sql`lower(m.recipient) = ${email}`,
    // A customer record with several email addresses may belong to several people, so such a record is left out.
    isRecord: sql`c.id in (select customer_id from customer_contacts where contact = ${email})
      and not exists (select from customer_contacts o where o.customer_id = c.id and o.contact like '%@%' and o.contact <> ${email})`,
  }
}

/**
 * Finds the data of a person who has a phone number but no email address. People with an email address are left out,
 * because several people can share a number. One person must not get the data of another. `dataOfEmail` finds people
 * with an email address.
 */
export async function dataOfNumber(db: Database, number: string): Promise<PersonalData> {
  const [bookings, entries] = [await bookingsOfNumber(db, number), await entriesOfNumber(db, number)]
  const checkouts = await checkoutsOfNumber(db, number)
  return {
    bookings,
    entries,
    checkouts,
    subjects: subjectsOf(bookings, entries, checkouts),
    isNamedIn: (text) => sql`exists (
      select from jsonb_path_query(${text}::text::jsonb, 'strict $.** ? (exists (@.phone_number))') person
      where ${isPersonWithOnlyNumber(sql`person`, number)})`,
    isTo: hasOnlyNumber({ email: sql`m.recipient`, phone: sql`m.phone` }, number),
    isRecord: isRecordOfNumber(number),
  }
}

const subjectsOf = (bookings: readonly string[], entries: readonly string[], checkouts: readonly string[]) => [
  ...bookings.map((id) => `booking ${id}`),
  ...entries.map((id) => `entry ${id}`),
  ...checkouts.map((id) => `checkout ${id}`),
]
