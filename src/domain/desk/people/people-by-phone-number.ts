import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { hasNumberFromStaff } from '../../bookings/people-of-booking.ts'
import { phoneContact } from '../customers/match-customers-by-contact.ts'
import { bookingOwner } from '../shared/booking-and-change-queries.ts'

/**
 * Makes an SQL condition that is true if a person has this phone number and no working email address. Numbers of two
 * countries can have the same last nine digits. Therefore the longer number must end with the whole shorter number.
 */
export function hasOnlyNumber(
  { email, phone }: { email: RawBuilder<unknown>; phone: RawBuilder<unknown> },
  number: string,
): RawBuilder<boolean> {
  const wanted = number.replace(/\D/g, '').replace(/^0+/, '')
  const digits = sql`ltrim(regexp_replace(${phone}, '\\D', '', 'g'), '0')`
  return sql<boolean>`(phone_contact(${phone}) = ${phoneContact(number)}
    and (right(${digits}, length(${wanted})) = ${wanted} or right(${wanted}, length(${digits})) = ${digits})
    and (coalesce(${email}, '') = '' or lower(${email}) like '%.invalid'))`
}

export const isPersonWithOnlyNumber = (person: RawBuilder<unknown>, number: string): RawBuilder<boolean> =>
  hasOnlyNumber({ email: sql`((${person}) ->> 'email')`, phone: sql`((${person}) ->> 'phone_number')` }, number)

/**
 * Finds the bookings of people who have this phone number and no email address. The query first searches for the last
 * nine digits, because the database index contains only these digits.
 */
export async function bookingsOfNumber(db: Database, number: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings
    where search_text like ${`%${phoneContact(number)}%`} and (${isPersonWithOnlyNumber(sql`people::jsonb -> 'buyer'`, number)}
      or ${isPersonWithOnlyNumber(sql`people::jsonb -> 'recipient'`, number)})
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function entriesOfNumber(db: Database, number: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from waitlist_entries where ${isPersonWithOnlyNumber(sql`buyer::jsonb`, number)} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Makes an SQL condition that is true if the customer record `c` belongs to a person who has this phone number and no
 * email address.
 */
export function isRecordOfNumber(number: string): RawBuilder<boolean> {
  const contact = phoneContact(number)
  return sql<boolean>`(c.id in (select customer_id from customer_contacts where contact = ${contact})
    and not exists (select from customer_contacts o where o.customer_id = c.id and o.contact like '%@%')
    and not exists (
      select from bookings b
      where b.search_text <> '' and phone_contact(b.people #>> '{buyer,phone_number}') = ${contact}
        and not ${isPersonWithOnlyNumber(sql`b.people::jsonb -> 'buyer'`, number)}
        and (${hasNumberFromStaff} and coalesce(${bookingOwner}, c.id) = c.id or ${bookingOwner} = c.id)))`
}
