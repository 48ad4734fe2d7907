import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

/** Deletes the payments, refunds and checkouts of the demo salon's invented bookings. This money never existed. */
export async function paymentsOfBookingsDelete(tx: Database, bookings: readonly string[]): Promise<void> {
  const payments = sql`select id from payments where booking_id = any (${bookings}::text[])`
  await sql`delete from refunds where payment_id in (${payments})`.execute(tx)
  await sql`delete from payments where booking_id = any (${bookings}::text[])`.execute(tx)
  await sql`delete from checkouts where booking_id = any (${bookings}::text[])`.execute(tx)
}
