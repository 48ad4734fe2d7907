import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { isUnexpired } from './booking-as-of.ts'
import type { BookingRow } from './booking-row.ts'

/** What is still to come and will be, or all that was or will not be. */
export type Half = 'ahead' | 'past'

export type BookingPlace = [startsAt: number, id: string]

interface Query {
  /** In lower case. */
  email: string
  half: Half
  after: BookingPlace | undefined
  limit: number
}

/** What was booked with an address, whoever did it: what is ahead from now on, what is over back from now. */
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

/** One that was not resolved in time is canceled, whatever its row says until somebody looks. */
export const isAhead = (now: Date) => sql`
  (ends_at > ${now} and (status in ('confirmed', 'in_progress')
    or status in ('pending', 'requires_action') and ${isUnexpired(now)}))`
