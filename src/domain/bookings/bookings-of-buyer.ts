import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { type BookingRow, bookingAsOf, isUnexpired } from './booking-row.ts'

export type Half = 'ahead' | 'past'

export type BookingPlace = [startsAt: number, id: string]

interface Query {
  /** The buyer's email address, in lower case. */
  email: string
  half: Half
  after: BookingPlace | undefined
  limit: number
}

/**
 * Finds all bookings with this email address of the buyer, no matter which caller made them. `half` selects upcoming
 * bookings ('ahead', earliest first) or all other bookings ('past', latest first).
 */
export async function bookingsOfBuyer(
  db: Database,
  { email, half, after, limit }: Query,
  now: Date,
): Promise<BookingRow[]> {
  const [order, beyond, which] =
    half === 'ahead' ? [sql`asc`, sql`>`, sql`is true`] : [sql`desc`, sql`<`, sql`is not true`]
  const { rows } = await sql<BookingRow>`
    select * from bookings
    where lower(people #>> '{buyer,email}') = ${email} and search_text <> '' and ${isAhead(now)} ${which}
      ${after ? sql`and (starts_at, id) ${beyond} (${new Date(after[0])}::timestamptz, ${after[1]})` : sql``}
    order by starts_at ${order}, id ${order} limit ${limit}`.execute(db)
  return rows
}

/**
 * SQL that tells whether a booking is upcoming. An unconfirmed booking after its release time is not upcoming, even if
 * its stored status is still unconfirmed. The server stores the expiry later.
 */
const isAhead = (now: Date) => sql`
  (ends_at > ${now} and (status in ('confirmed', 'in_progress')
    or status in ('pending', 'requires_action') and ${isUnexpired(now)}))`

/**
 * Finds all bookings that platforms and AI assistants made with one buyer account. `half` selects upcoming bookings
 * ('ahead', earliest first) or all other bookings ('past', latest first).
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
