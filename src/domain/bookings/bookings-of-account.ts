import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { bookingAsOf } from './booking-as-of.ts'
import type { BookingRow } from './booking-row.ts'
import { type Half, isAhead } from './bookings-of-buyer.ts'

/**
 * Bookings made with an account, by any app. 'ahead': upcoming ones, the earliest first. 'past': the others, the latest
 * first.
 */
export async function bookingsOfAccount(
  db: Database,
  { buyer, half, limit }: { buyer: string; half: Half; limit: number },
  now: Date,
): Promise<BookingRow[]> {
  const [order, which] = half === 'ahead' ? [sql`asc`, sql`is true`] : [sql`desc`, sql`is not true`]
  const { rows } = await sql<BookingRow>`
    select * from bookings where buyer_account = ${buyer} and ${isAhead(now)} ${which}
    order by starts_at ${order}, id ${order} limit ${limit}`.execute(db)
  return rows.map((row) => bookingAsOf(row, now))
}
