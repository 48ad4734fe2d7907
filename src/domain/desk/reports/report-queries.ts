import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { isUnexpired } from '../../bookings/booking-row.ts'
import { type BookingSource, isFromSource } from '../../bookings/booking-source.ts'

/** The report lists at most this many platforms in rows of their own. All other platforms share one row. */
const MOST_PLATFORMS = 20

/**
 * The lead time of a booking is the time between its creation and its start. The report groups bookings by lead time,
 * and each group begins at one of these numbers of days.
 */
export const LEAD_DAYS = [0, 1, 3, 7, 14, 30] as const

type Bounds = readonly Date[]

const within = (column: 'starts_at' | 'created_at' | 'received_at', bounds: Bounds) =>
  sql<boolean>`${sql.ref(column)} >= ${bounds[0]} and ${sql.ref(column)} < ${bounds.at(-1)}`

const stepOf = (column: 'starts_at' | 'at', bounds: Bounds) =>
  sql<number>`width_bucket(${sql.ref(column)}, ${[...bounds]}::timestamptz[])`

/** Makes an SQL condition that is true if a booking is neither canceled nor expired. */
export const takesPlace = (now: Date): RawBuilder<boolean> => sql`(status <> 'canceled' and ${isUnexpired(now)})`

export interface BookingsRow {
  step: number
  bookings: number
  begun: number
  no_shows: number
  canceled: number
}

export async function bookingsOf(db: Database, bounds: Bounds, now: Date): Promise<BookingsRow[]> {
  const { rows } = await sql<BookingsRow>`
    select ${stepOf('starts_at', bounds)} as step,
      (count(*) filter (where ${takesPlace(now)}))::integer as bookings,
      (count(*) filter (where ${takesPlace(now)} and starts_at <= ${now}))::integer as begun,
      (count(*) filter (where status = 'no_show'))::integer as no_shows,
      (count(*) filter (where not ${takesPlace(now)}))::integer as canceled
    from bookings where ${within('starts_at', bounds)} group by 1`.execute(db)
  return rows
}

export interface LeadRow {
  /** The number of the group of lead times in `LEAD_DAYS`, starting with 1. Null stands for all groups together. */
  span: number | null
  bookings: number
  median: number
}

/**
 * Computes the lead times of bookings: the times between their creation and their start. If the staff entered a booking
 * after its start, its lead time is zero.
 */
export async function leadTimesOf(db: Database, bounds: Bounds, now: Date): Promise<LeadRow[]> {
  const { rows } = await sql<LeadRow>`
    with made as (
      select greatest(extract(epoch from starts_at - created_at)::float8, 0) as seconds
      from bookings where ${within('starts_at', bounds)} and ${takesPlace(now)}
    ), spans as (
      select seconds, width_bucket(seconds / 86400, ${[...LEAD_DAYS]}::float8[]) as span from made
    )
    select span, count(*)::integer as bookings, percentile_cont(0.5) within group (order by seconds) as median
    from spans group by grouping sets ((span), ())`.execute(db)
  return rows
}

export interface SourceRow {
  came_from: BookingSource
  profile: string | null
  bookings: number
}

export async function sourcesOf(db: Database, bounds: Bounds, now: Date): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    with counted as (
      select case when ${isFromSource('staff')} then 'staff' when ${isFromSource('page')} then 'page'
        when ${isFromSource('assistant')} then 'assistant' else 'platform' end as came_from,
        case when ${isFromSource('platform')} then nullif(profile, '') end as profile, count(*) as bookings
      from bookings where ${within('starts_at', bounds)} and ${takesPlace(now)} group by 1, 2
    ), ranked as (
      select *, row_number() over (partition by came_from order by bookings desc, profile) as rank from counted
    )
    select came_from, case when rank <= ${MOST_PLATFORMS} then profile end as profile, sum(bookings)::integer as bookings
    from ranked group by 1, 2 order by 3 desc, 1, 2`.execute(db)
  return rows
}

export interface MoneyRow {
  step: number
  currency: string
  amount: number
  refunded: number
}

/**
 * Sums the money received and refunded in each step of the report, such as a week. A refund counts at the time when the
 * staff or the server decided it.
 */
export async function moneyOf(db: Database, bounds: Bounds): Promise<MoneyRow[]> {
  const { rows } = await sql<MoneyRow>`
    with moved as (
      select received_at as at, currency, amount, 0 as refunded from payments where ${within('received_at', bounds)}
      union all
      select r.created_at, p.currency, 0, r.amount from refunds r join payments p on p.id = r.payment_id
      where r.created_at >= ${bounds[0]} and r.created_at < ${bounds.at(-1)}
    )
    select ${stepOf('at', bounds)} as step, currency, sum(amount)::float8 as amount, sum(refunded)::float8 as refunded
    from moved group by 1, 2 order by 2, 1`.execute(db)
  return rows
}

export interface WaitlistRow {
  joined: number
  offered: number
  booked: number
  waiting: number
}

export async function waitlistOf(db: Database, bounds: Bounds, now: Date): Promise<WaitlistRow> {
  const { rows } = await sql<WaitlistRow>`
    select count(*)::integer as joined,
      (count(*) filter (where exists (
        select from changes where subject = 'entry ' || e.id and to_status = 'offered'
      )))::integer as offered,
      (count(*) filter (where booking_id is not null))::integer as booked,
      (count(*) filter (where status in ('waiting', 'offered') and (over_at > ${now}) is not false))::integer as waiting
    from waitlist_entries e where ${within('created_at', bounds)}`.execute(db)
  return rows[0] ?? { joined: 0, offered: 0, booked: 0, waiting: 0 }
}
