import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { folded } from '../../../infra/util/plain-text.ts'
import { STAFF_PREFIX } from '../../../protocol/caller-types.ts'
import { hasClaim } from '../../bookings/booking-amounts-owed.ts'
import { type BookingRow, isUnexpired } from '../../bookings/booking-row.ts'
import { type BookingSource, isFromSource } from '../../bookings/booking-source.ts'
import { addressDigest } from '../../bookings/people-of-booking.ts'

export type BookingPosition = [startsAt: number, id: string]

interface BookingQuery {
  range: readonly [from: number, to: number] | undefined
  resource: string | undefined
  service: string | undefined
  session: string | undefined
  statuses: readonly string[] | undefined
  bookingSource: BookingSource | undefined
  isClaimed: boolean | undefined
  id: string | undefined
  words: readonly string[]
  after: BookingPosition | undefined
  latestFirst: boolean
  limit: number
}

/**
 * Finds the bookings that match the query of the staff, sorted by start. A query for a teacher or a room also finds the
 * bookings of the classes with this teacher or room.
 */
export async function bookingsList(db: Database, query: BookingQuery, now: Date): Promise<BookingRow[]> {
  const { after, latestFirst, limit } = query
  const beyond = sql.raw(latestFirst ? '<' : '>')
  const order = sql.raw(latestFirst ? 'desc' : 'asc')
  const { rows } = await sql<BookingRow>`
    select * from bookings b
    where ${sql.join(conditions(query, now), sql` and `)}
      ${after ? sql`and (starts_at, id) ${beyond} (${new Date(after[0])}::timestamptz, ${after[1]})` : sql``}
    order by starts_at ${order}, id ${order}
    limit ${limit}`.execute(db)
  return rows
}

function conditions(query: BookingQuery, now: Date): RawBuilder<unknown>[] {
  const { range, resource, service, session, statuses, bookingSource, isClaimed, id, words } = query
  return [
    sql`true`,
    ...(range ? [sql`starts_at >= ${new Date(range[0])} and starts_at < ${new Date(range[1])}`] : []),
    ...(service !== undefined ? [sql`service_id = ${service}`] : []),
    ...(session !== undefined ? [sql`session_id = ${session}`] : []),
    ...(statuses ? [inStatus(statuses, now)] : []),
    ...(bookingSource ? [isFromSource(bookingSource)] : []),
    ...(isClaimed !== undefined ? [sql`${hasClaim} = ${isClaimed}`] : []),
    ...(resource !== undefined ? [withResource(resource)] : []),
    ...(id !== undefined ? [sql`id = ${id}`] : []),
    ...words.map((word) => sql`search_text like ${`%${literally(word)}%`}`),
  ]
}

const withResource = (id: string) => sql`
  (resource_ids @> array[${id}] or session_id in (select id from sessions where resource_ids @> array[${id}]))`

/**
 * Makes an SQL condition that is true if a booking has one of the wanted statuses. An expired booking counts as
 * canceled, even if its stored status is still another.
 */
function inStatus(wanted: readonly string[], now: Date): RawBuilder<unknown> {
  const stored = wanted.includes('canceled') ? [...wanted, 'pending', 'requires_action'] : wanted
  return sql`status = any (${stored}::text[]) and
    case when status in ('pending', 'requires_action') and not ${isUnexpired(now)} then 'canceled' else status end
      = any (${wanted}::text[])`
}

const literally = (word: string) => word.replace(/[\\%_]/g, '\\$&')

export interface ChangeRow {
  number: string
  at: Date
  actor: string
  actor_name: string | null
  action: string
  from_status: string | null
  to_status: string | null
  detail: Record<string, unknown>
}

export async function changesOf(
  db: Database,
  subject: string,
  after: string | undefined,
  limit: number,
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select number, at, actor, staff.name as actor_name, action, from_status, to_status, detail
    from changes left join staff on actor = ${STAFF_PREFIX} || staff.id
    where subject = ${subject} and number > ${after ?? '0'}::bigint
    order by number limit ${limit}`.execute(db)
  return rows
}

export async function bookingsOfEmail(db: Database, email: string, most?: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings
    where search_text like ${`%${literally(folded(email))}%`}
      and lower(${email}) in (lower(people #>> '{buyer,email}'), lower(people #>> '{recipient,email}'))
    order by id limit ${most ?? null}::integer`.execute(db)
  return rows.map(({ id }) => id)
}

/** Finds the bookings whose buyer or recipient had this email address before the staff corrected it. */
export async function bookingsOnceOfEmail(db: Database, email: string): Promise<string[]> {
  const digest = addressDigest(email)
  const { rows } = await sql<{ id: string }>`
    select id from bookings
    where search_text like ${`%${literally(digest.toLowerCase())}%`} and people::jsonb -> 'earlier' ? ${digest}
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Finds the bookings that ended at or before the instant `over` and still contain personal data, oldest first. */
export async function bookingsToErase(db: Database, over: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings where search_text <> '' and ends_at <= ${over} order by ends_at limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

export const emailContact = sql`lower(b.people #>> '{buyer,email}')`
export const numberContact = sql`phone_contact(b.people #>> '{buyer,phone_number}')`
export const hasNoAddress = sql<boolean>`(coalesce(${emailContact}, '') = '' or ${emailContact} like '%.invalid')`

/**
 * An SQL expression for the id of the customer record to which the booking `b` belongs. The phone number of the booking
 * counts only if the booking has no email address.
 */
export const bookingOwner = sql<string | null>`(
  select customer_id from customer_contacts c
  where c.contact in (b.id, ${emailContact}) or (${hasNoAddress} and c.contact = ${numberContact})
  order by c.contact = b.id desc, c.contact = ${emailContact} desc limit 1)`

export const tagsOfOwner = sql<string[]>`coalesce((select tags from customers where id = ${bookingOwner}), '{}')`

/** An SQL condition for a confirmed booking whose buyer has confirmed that they will come. */
export const isAttending = sql<boolean>`(status = 'confirmed' and record -> 'attending' is not null)`

/** What the staff see about a booking in the list of a class session. */
export interface SessionMarks {
  id: string
  /** The tags of the customer, such as an allergy. */
  tags: string[]
  isAttending: boolean
}

/** Finds the marks of the bookings of a class session. Leaves out bookings without marks. */
export async function marksOfSession(db: Database, id: string): Promise<SessionMarks[]> {
  const { rows } = await sql<SessionMarks>`
    select id, tags, attending as "isAttending" from (
      select id, case when search_text <> '' then ${tagsOfOwner} else '{}' end as tags, ${isAttending} as attending
      from bookings b where session_id = ${id} and status <> 'canceled'
    ) booking where tags <> '{}' or attending order by id`.execute(db)
  return rows
}

export async function tagsOfBooking(db: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{
    tags: string[]
  }>`select ${tagsOfOwner} as tags from bookings b where id = ${id}`.execute(db)
  return rows[0]?.tags ?? []
}
