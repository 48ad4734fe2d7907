import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { newId } from '../../../infra/util/random-bytes.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { hasNumberFromStaff } from '../../bookings/people-of-booking.ts'
import { bookingOwner, emailContact, hasNoAddress, numberContact } from '../shared/booking-and-change-queries.ts'
import { type AddressOfNumber, contactsOf, numberOf } from './match-customers-by-contact.ts'

export interface CustomerRow {
  id: string
  note: string
  tags: string[]
}

/**
 * Finds the bookings with these contacts (email addresses, phone numbers or booking ids), latest first. Bookings of
 * another customer are left out.
 */
export async function bookingsOfContacts(
  db: Database,
  { contacts, customer, most }: { contacts: readonly string[]; customer: string | undefined; most: number },
): Promise<BookingRow[]> {
  const { rows } = await sql<BookingRow>`
    select b.* from bookings b
    where b.search_text <> ''
      and (${emailContact} = any (${contacts}::text[]) or b.id = any (${contacts}::text[])
        or (${numberContact} = any (${contacts}::text[]) and ${hasNoAddress}))
      and coalesce(${bookingOwner}, ${customer ?? ''}) = ${customer ?? ''}
    order by b.starts_at desc, b.id limit ${most}`.execute(db)
  return rows
}

/**
 * Finds the bookings of people whose names, phone numbers or email addresses match or resemble the words. If there are
 * no words, the result is the newest bookings.
 */
export async function bookingsOfPeople(db: Database, words: readonly string[], most: number): Promise<BookingRow[]> {
  const found =
    words.length > 0
      ? sql`bookings_of_people(${words}::text[], ${most}::integer) with ordinality as b`
      : sql`(select * from bookings where search_text <> '' order by created_at desc, id limit ${most}) b`
  const order = words.length > 0 ? sql`b.ordinality` : sql`b.created_at desc, b.id`
  const { rows } = await sql<BookingRow>`select b.* from ${found} order by ${order}`.execute(db)
  return rows
}

/**
 * Finds the email address that belongs to each phone number in these bookings. The addresses come from customer
 * records, and from bookings whose numbers the staff entered. A number is left out if it has several addresses, or if
 * its address belongs to another customer.
 */
export async function addressesOfNumbers(db: Database, bookings: readonly BookingRow[]): Promise<AddressOfNumber> {
  const numbers = [...new Set(bookings.map(numberOf))].filter((number) => number !== '')
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ number: string; address: string }>`
    select known.number, known.address from (select number, min(address) as address from (
      select ${numberContact} as number, ${emailContact} as address from bookings b
      where b.search_text <> '' and ${numberContact} = any (${numbers}::text[]) and ${hasNumberFromStaff} and not ${hasNoAddress}
      union
      select own.contact, other.contact from customer_contacts own
      join customer_contacts other on other.customer_id = own.customer_id and other.contact like '%@%'
      where own.contact = any (${numbers}::text[])
    ) entered group by number having count(distinct address) = 1) known
    left join customer_contacts n on n.contact = known.number
    left join customer_contacts a on a.contact = known.address
    where coalesce(n.customer_id = a.customer_id, true)`.execute(db)
  return new Map(rows.map(({ number, address }) => [number, address]))
}

export const customerFind = async (db: Database, id: string): Promise<CustomerRow | undefined> =>
  (await customersFind(db, [id]))[0]

export const customersFind = (db: Database, ids: readonly string[]): Promise<CustomerRow[]> =>
  db
    .selectFrom('customers')
    .select(['id', 'note', 'tags'])
    .where('id', '=', sql<string>`any (${ids}::text[])`)
    .execute()

export async function contactsOfCustomer(db: Database, id: string): Promise<string[]> {
  const rows = await db.selectFrom('customer_contacts').select('contact').where('customer_id', '=', id).execute()
  return rows.map(({ contact }) => contact)
}

export async function ownersOf(db: Database, contacts: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ contact: string; customer_id: string }>`
    select contact, customer_id from customer_contacts where contact = any (${contacts}::text[])`.execute(db)
  return new Map(rows.map(({ contact, customer_id }) => [contact, customer_id]))
}

export const ownerOf = (owners: ReadonlyMap<string, string>, contacts: readonly string[]): string | undefined =>
  contacts.map((contact) => owners.get(contact)).find((owner) => owner !== undefined)

/**
 * Finds the contacts (such as email addresses) in customer records that belong to these digests. `addressDigest`
 * computes the same kind of digest (hash).
 */
export async function contactsOfDigests(db: Database, digests: readonly string[]): Promise<string[]> {
  if (digests.length === 0) return []
  const { rows } = await sql<{ contact: string }>`
    select contact from customer_contacts
    where translate(encode(sha256(convert_to(contact, 'UTF8')), 'base64'), '+/=', '-_') = any (${digests}::text[])`.execute(
    db,
  )
  return rows.map(({ contact }) => contact)
}

/** Takes a lock, so that only one transaction at a time can assign contacts (such as email addresses) to customers. */
export async function customersLock(tx: UnitOfWork): Promise<void> {
  await tx.waitForSlot('customers')
  await sql`select pg_advisory_xact_lock(hashtextextended('customers', 0))`.execute(tx)
}

export async function customerInsert(
  tx: UnitOfWork,
  { note, tags }: Omit<CustomerRow, 'id'>,
  now: Date,
): Promise<string> {
  const id = newId('cus')
  await tx.insertInto('customers').values({ id, note, tags, created_at: now }).execute()
  return id
}

export async function customerUpdate(tx: UnitOfWork, { id, note, tags }: CustomerRow): Promise<void> {
  await tx.updateTable('customers').set({ note, tags }).where('id', '=', id).execute()
}

export async function customerDelete(tx: UnitOfWork, id: string): Promise<void> {
  await tx.deleteFrom('customers').where('id', '=', id).execute()
}

/**
 * Assigns contacts, such as email addresses, to the customer `to`. A contact that belongs to another customer moves
 * only if `from` contains that customer.
 */
export async function contactsAssign(
  tx: UnitOfWork,
  { contacts, to, from }: { contacts: readonly string[]; to: string; from: readonly string[] },
): Promise<void> {
  await sql`
    insert into customer_contacts (contact, customer_id) select unnest(${contacts}::text[]), ${to}
    on conflict (contact) do update set customer_id = excluded.customer_id
      where customer_contacts.customer_id = any (${from}::text[])`.execute(tx)
}

/**
 * Deletes contacts that no booking uses, and then customer records without contacts. If `contacts` is set, the function
 * checks only records with one of these contacts. A phone number stays in its record if a booking uses it. If this
 * booking also has an email address, the record must contain the same address or no address.
 */
export async function orphanedCustomersDelete(tx: Database, contacts: readonly string[] | undefined): Promise<void> {
  await sql`
    with gone as (
      delete from customer_contacts c
      where ${
        contacts === undefined
          ? sql`true`
          : sql`customer_id in (select customer_id from customer_contacts where contact = any (${contacts}::text[]))`
      }
        and not exists (select from bookings b where b.search_text <> '' and ${emailContact} = c.contact)
        and not exists (
          select from bookings b
          where b.search_text <> '' and ${numberContact} = c.contact and (${hasNoAddress} or (${hasNumberFromStaff} and (
            exists (select from customer_contacts o where o.customer_id = c.customer_id and o.contact = ${emailContact})
            or not exists (select from customer_contacts o where o.customer_id = c.customer_id and o.contact like '%@%')))))
        and not exists (select from bookings b where b.search_text <> '' and b.id = c.contact)
      returning contact, customer_id
    )
    delete from customers where id in (
      select customer_id from gone
      where not exists (
        select from customer_contacts c where c.customer_id = gone.customer_id and c.contact not in (select contact from gone)
      )
    )`.execute(tx)
}

/**
 * Deletes the customer records with this email address, or with a phone number of the same person. Returns the ids of
 * these records.
 */
export async function customersOfEmailErase(tx: UnitOfWork, email: string): Promise<string[]> {
  const { rows } = await sql<BookingRow>`
    select b.* from bookings b where b.search_text <> '' and ${emailContact} = lower(${email})`.execute(tx)
  const addresses = await addressesOfNumbers(tx, rows)
  const contacts = [email.toLowerCase(), ...rows.flatMap((booking) => contactsOf(booking, addresses))]
  const { rows: deleted } = await sql<{ id: string }>`
    delete from customers where id in (
      select customer_id from customer_contacts where contact = any (${contacts}::text[]))
    returning id`.execute(tx)
  return deleted.map(({ id }) => id)
}

/** Deletes the customer records `c` that match an SQL condition. Returns their ids. */
export async function matchingCustomersErase(tx: UnitOfWork, condition: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`delete from customers c where ${condition} returning c.id`.execute(tx)
  return rows.map(({ id }) => id)
}
