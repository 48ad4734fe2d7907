import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import type { Blocks } from '../../../infra/db/schema.generated.ts'
import type { BookingBuyer } from '../../../protocol/types.generated.ts'
import { type BookingRow, hasExpired } from '../../bookings/booking-row.ts'
import { isAttending, tagsOfOwner } from '../shared/booking-and-change-queries.ts'

type Range = readonly [from: number, to: number]

export const overlapping = ([from, to]: Range) => sql`
  tstzrange(starts_at, ends_at) && tstzrange(${new Date(from)}, ${new Date(to)})`

export interface DayQuery {
  range: Range
  resource?: string
}

/** The calendar of a day shows at most this many characters of a buyer's notes. */
export const LONGEST_NOTES = 500

/**
 * The data of a booking that the calendar of a day needs. The query does not read whole bookings, because hundreds of
 * them would take too long.
 */
export interface BookingOfDay extends Pick<BookingRow, 'id' | 'service_id' | 'status' | 'resource_ids'> {
  /** The person who comes: the recipient if the booking has one, or else the buyer. */
  guest: BookingBuyer
  /**
   * The beginning of the buyer's notes. The server does not read the rest, because a stranger may have written long
   * notes.
   */
  notes: string | null
  service_name: string
  zone: string
  party_size: number
  /** Whether the buyer has confirmed that they will come. */
  attending: boolean
  tags: string[]
  from: number
  to: number
}

/**
 * Finds the bookings of a day, for one resource or for all resources. Bookings of classes are left out, because the
 * calendar of the day shows each class once.
 */
export async function bookingsOfDay(db: Database, { range, resource }: DayQuery, now: Date): Promise<BookingOfDay[]> {
  const { rows } = await sql<BookingOfDay & Pick<BookingRow, 'expires_at' | 'release_at'>>`
    select id, service_id, status, resource_ids, expires_at, release_at,
      coalesce(people -> 'recipient', people -> 'buyer') as guest, left(people ->> 'notes', ${LONGEST_NOTES + 1}) as notes,
      record -> 'service' ->> 'name' as service_name, record ->> 'zone' as zone,
      (record ->> 'party_size')::integer as party_size,
      ${isAttending} as attending,
      extract(epoch from starts_at)::float8 * 1000 as from,
      extract(epoch from ends_at)::float8 * 1000 as to, ${tagsOfOwner} as tags
    from bookings b
    where ${overlapping(range)} and status <> 'canceled'
      and ${resource === undefined ? sql`session_id is null` : sql`resource_ids @> array[${resource}]`}
    order by starts_at, id`.execute(db)
  return rows.filter((row) => !hasExpired(row, now))
}

export async function blocksOfDay(db: Database, { range, resource }: DayQuery): Promise<Selectable<Blocks>[]> {
  return db
    .selectFrom('blocks')
    .selectAll()
    .where('starts_at', '<', new Date(range[1]))
    .where('ends_at', '>', new Date(range[0]))
    .$if(resource !== undefined, (blocks) => blocks.where('resource_id', '=', String(resource)))
    .orderBy('starts_at')
    .execute()
}

export interface ReservedTime {
  resource_id: string
  kind: 'hold' | 'offer'
  service_id: string | null
  from: number
  to: number
  expires_at: Date
}

/**
 * Finds the times of a day that are reserved by a caller or a waitlist offer, but not booked yet. The result contains
 * no personal data.
 */
export async function reservedOfDay(db: Database, { range, resource }: DayQuery, now: Date): Promise<ReservedTime[]> {
  const { rows } = await sql<ReservedTime>`
    select c.resource_id, c.holder_kind as kind, h.service_id, c.expires_at,
      extract(epoch from lower(c.during))::float8 * 1000 as from,
      extract(epoch from upper(c.during))::float8 * 1000 as to
    from claims c
    left join holds h on c.holder_kind = 'hold' and h.id = c.holder_id
    where ${resource === undefined ? sql`true` : sql`c.resource_id = ${resource}`} and c.holder_kind in ('hold', 'offer') and c.expires_at > ${now}
      and c.during && tstzrange(${new Date(range[0])}, ${new Date(range[1])})
    order by lower(c.during)`.execute(db)
  return rows
}

export interface Claim {
  kind: 'hold' | 'booking' | 'offer' | 'block' | 'session'
  id: string
  resource_id: string
  from: number
  to: number
  expires_at: Date | null
}

/**
 * Finds the occupied times of these resources within the range. Each time includes the buffers (time for preparation)
 * before and after the booking.
 */
export async function claimsOf(
  db: Database,
  { resources, range, most }: { resources: readonly string[]; range: Range; most: number },
  now: Date,
): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    select holder_kind as kind, holder_id as id, resource_id,
      case holder_kind when 'booking' then (select b.expires_at from bookings b where b.id = holder_id) else expires_at end
        as expires_at,
      extract(epoch from lower(during))::float8 * 1000 as from,
      extract(epoch from upper(during))::float8 * 1000 as to
    from claims
    where resource_id = any (${resources}::text[]) and (expires_at is null or expires_at > ${now})
      and during && tstzrange(${new Date(range[0])}, ${new Date(range[1])})
    order by lower(during), resource_id limit ${most}`.execute(db)
  return rows
}
