import { sql } from 'kysely'
import { newId } from '../../basics/new-id.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import type { Change } from '../../db/change.ts'
import type { Database } from '../../db/database.ts'

/** What is noted of somebody. */
export interface CustomerRow {
  id: string
  note: string
  tags: string[]
}

/** A booking, and the record of whoever it is of, where there is one. */
export type OwnedBooking = BookingRow & { customer_id: string | null }

const mail = sql`lower(b.people #>> '{buyer,email}')`
const phone = sql`phone_contact(b.people #>> '{buyer,phone_number}')`
/** Whose record a booking `b` is of. */
export const bookingOwner = sql<string | null>`(
  select customer_id from customer_contacts c where c.contact in (b.id, ${mail}, ${phone})
  order by c.contact = ${phone} limit 1)`

/** The latest first. Those that are somebody else's by a record are left out. */
export async function bookingsOfContacts(
  db: Database,
  { contacts, customer, most }: { contacts: readonly string[]; customer: string | undefined; most: number },
): Promise<BookingRow[]> {
  const { rows } = await sql<BookingRow>`
    select b.* from bookings b
    where b.search_text <> ''
      and (${mail} = any (${contacts}::text[]) or ${phone} = any (${contacts}::text[]) or b.id = any (${contacts}::text[]))
      and coalesce(${bookingOwner}, ${customer ?? ''}) = ${customer ?? ''}
    order by b.starts_at desc, b.id limit ${most}`.execute(db)
  return rows
}

/** Bookings of people who are called so, or nearly so; without words the latest that were made. */
export async function bookingsOfPeople(db: Database, words: readonly string[], most: number): Promise<OwnedBooking[]> {
  const found =
    words.length > 0
      ? sql`bookings_of_people(${words}::text[], ${most}::integer) with ordinality as b`
      : sql`(select * from bookings where search_text <> '' order by created_at desc, id limit ${most}) b`
  const order = words.length > 0 ? sql`b.ordinality` : sql`b.created_at desc, b.id`
  const { rows } = await sql<OwnedBooking>`
    select b.*, ${bookingOwner} as customer_id from ${found} order by ${order}`.execute(db)
  return rows
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

export async function customerOfContacts(db: Database, contacts: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ customer_id: string }>`
    select customer_id from customer_contacts where contact = any (${contacts}::text[])
    order by array_position(${contacts}::text[], contact) limit 1`.execute(db)
  return rows[0]?.customer_id
}

/** Whoever changes who is who does so alone. */
export async function customersLock(tx: Change): Promise<void> {
  await tx.waitFor('customers')
  await sql`select pg_advisory_xact_lock(hashtextextended('customers', 0))`.execute(tx)
}

export async function customerInsert(tx: Change, { note, tags }: Omit<CustomerRow, 'id'>, now: Date): Promise<string> {
  const id = newId('cus')
  await tx.insertInto('customers').values({ id, note, tags, created_at: now }).execute()
  return id
}

export async function customerUpdate(tx: Change, { id, note, tags }: CustomerRow): Promise<void> {
  await tx.updateTable('customers').set({ note, tags }).where('id', '=', id).execute()
}

export async function customerDelete(tx: Change, id: string): Promise<void> {
  await tx.deleteFrom('customers').where('id', '=', id).execute()
}

/** Gives contacts to somebody: those that nobody has, and those that one of these has. */
export async function contactsGive(
  tx: Change,
  { contacts, to, from }: { contacts: readonly string[]; to: string; from: readonly string[] },
): Promise<void> {
  await sql`
    insert into customer_contacts (contact, customer_id) select unnest(${contacts}::text[]), ${to}
    on conflict (contact) do update set customer_id = excluded.customer_id
      where customer_contacts.customer_id = any (${from}::text[])`.execute(tx)
}

/** Nobody is kept of whom no booking tells any more: of these contacts, or of so many as there are. */
export async function customersForget(tx: Database, contacts: readonly string[] | undefined): Promise<void> {
  await sql`
    with gone as (
      delete from customer_contacts c
      where ${contacts === undefined ? sql`true` : sql`contact = any (${contacts}::text[])`}
        and not exists (select from bookings b where b.search_text <> '' and ${mail} = c.contact)
        and not exists (select from bookings b where b.search_text <> '' and ${phone} = c.contact)
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

/** All that is noted of whoever has this address. */
export async function customerOfEmailErase(tx: Change, email: string): Promise<void> {
  await sql`
    delete from customers where id in (select customer_id from customer_contacts where contact = lower(${email}))`.execute(
    tx,
  )
}
