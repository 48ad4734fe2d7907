import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'

export const emailContact = sql`lower(b.people #>> '{buyer,email}')`
export const numberContact = sql`phone_contact(b.people #>> '{buyer,phone_number}')`
export const hasNoAddress = sql<boolean>`(coalesce(${emailContact}, '') = '' or ${emailContact} like '%.invalid')`

/** The customer of booking `b`. A number counts only if the booking has no address. */
export const bookingOwner = sql<string | null>`(
  select customer_id from customer_contacts c
  where c.contact in (b.id, ${emailContact}) or (${hasNoAddress} and c.contact = ${numberContact})
  order by c.contact = b.id desc, c.contact = ${emailContact} desc limit 1)`

export const tagsOfOwner = sql<string[]>`coalesce((select tags from customers where id = ${bookingOwner}), '{}')`

export async function tagsOfBooking(db: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{
    tags: string[]
  }>`select ${tagsOfOwner} as tags from bookings b where id = ${id}`.execute(db)
  return rows[0]?.tags ?? []
}
