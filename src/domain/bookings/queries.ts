import { sql } from 'kysely'
import { buyerOf } from '../../core/authentication/principals.ts'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { folded } from '../../infra/util/plain-text.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import { isReferenceOf, referenceOf } from './booking-response.ts'
import { type BookingRow, isUnexpired, releaseColumn } from './booking-row.ts'

/**
 * Limits a query to the bookings of one caller. If a buyer has given the caller access to their account, the query
 * finds only the bookings of this buyer. For the staff, the value is undefined, because they see all bookings.
 */
export type Owner = Pick<Caller, 'identities' | 'profile' | 'buyer'> | undefined

const owned = ({ identities, profile, buyer }: Exclude<Owner, undefined>) =>
  buyer === undefined
    ? sql`principal = any (${identities}::text[]) and profile = ${profile}`
    : sql`buyer_account = ${buyer}`

export async function bookingFind(
  db: Database,
  id: string,
  owner: Owner,
  { lock }: { lock: boolean },
): Promise<BookingRow | undefined> {
  const { rows } = await sql<BookingRow>`
    select * from bookings
    where id = ${id}
      ${owner ? sql`and ${owned(owner)}` : sql``}
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0]
}

/**
 * Finds the id of the booking with this reference (a short code). The search text can also contain other words that
 * look like the reference, such as a name. Therefore the server computes the reference of each found booking and
 * compares it.
 */
export async function bookingOfReference(db: Database, reference: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings where search_text like ${`%${reference.toLowerCase()}%`}`.execute(db)
  const [id, ...others] = rows.map((row) => row.id).filter((one) => isReferenceOf(reference, { id: one }))
  return others.length === 0 ? id : undefined
}

export async function bookingOfPrincipal(db: Database, principal: string): Promise<BookingRow | undefined> {
  const { rows } = await sql<BookingRow>`
    select * from bookings where principal = ${principal} order by created_at desc limit 1`.execute(db)
  return rows[0]
}

export async function bookingOfHold(db: Database, holdId: string): Promise<string | undefined> {
  const row = await db.selectFrom('bookings').select('id').where('hold_id', '=', holdId).executeTakeFirst()
  return row?.id
}

const stored = ({ record, people, ...row }: BookingRow) => ({
  ...row,
  record: JSON.stringify(record),
  people: JSON.stringify(people),
  search_text: searchText(row, people),
})

/**
 * Returns the text in which the staff search for bookings. The text contains phone numbers and references twice: with
 * separators and without.
 */
function searchText(booking: { id: string }, { buyer, recipient, earlier = [], erased }: BookingRow['people']): string {
  if (erased) return ''
  const names = [buyer, recipient].flatMap((one) =>
    one ? [one.first_name, one.last_name, one.email, ...phone(one.phone_number)] : [],
  )
  const reference = referenceOf(booking)
  return folded([...names, reference, reference.replace('-', ''), ...earlier].join(' '))
}

const phone = (number: string | undefined) => (number === undefined ? [] : [number, number.replace(/\D/g, '')])

/**
 * Tells whether an unfinished UCP checkout (a purchase through the Universal Commerce Protocol) has reserved this id for
 * its booking. The server stores the booking only when the platform completes the checkout.
 */
export async function isInUnfinishedCheckout(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from ucp_checkouts
    where booking_id = ${id} and status in ('open', 'completing', 'escalated')`.execute(db)
  return rows.length > 0
}

export function bookingInsert(tx: UnitOfWork, row: BookingRow): void {
  tx.insert('bookings', { ...stored(row), buyer_account: buyerOf(row.principal) })
}

export async function bookingUpdate(tx: Database, row: BookingRow): Promise<void> {
  const { id, created_at, ...set } = stored(row)
  await tx.updateTable('bookings').set(set).where('id', '=', id).execute()
}

/**
 * Stores the time when a booking releases its slot. Callers do not see this time, so the revision (version mark) of the
 * booking does not change.
 */
export async function releaseUpdate(tx: Database, id: string, release_at: Date): Promise<void> {
  await tx.updateTable('bookings').set({ release_at }).where('id', '=', id).execute()
}

/**
 * Returns the ids of bookings past their deadline, longest overdue first. It leaves out a booking whose slot the server
 * keeps for some more minutes, until the payment provider answers.
 */
export async function bookingsOverdue(
  db: Database,
  { now, graceEnd, most }: { now: Date; graceEnd: Date; most: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings
    where expires_at <= ${now} and (${releaseColumn} <= ${now} or ${releaseColumn} > ${graceEnd})
    order by expires_at limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Waives the fee for a late cancellation of the buyer's other bookings of the same service by the same caller. There
 * may be hundreds of bookings, and other calls wait meanwhile. Therefore one SQL statement changes all of them.
 */
export async function cancellationFeesWaive(
  tx: Database,
  { id, principal, profile, service_id, people }: BookingRow,
  now: Date,
): Promise<Pick<BookingRow, 'id' | 'status'>[]> {
  const { rows } = await sql<Pick<BookingRow, 'id' | 'status'>>`
    with earlier as (
      select id from bookings
      where principal = ${principal} and profile = ${profile} and service_id = ${service_id} and id <> ${id}
        and status in ('pending', 'requires_action', 'confirmed') and record -> 'fee_waived' is null
        and lower(people #>> '{buyer,email}') = lower(${people.buyer.email})
      order by id for update
    )
    update bookings b set record = (record::jsonb || '{"fee_waived": true}')::json, revision = revision + 1,
      updated_at = greatest(${now}, updated_at + interval '1 millisecond')
    from earlier where b.id = earlier.id returning b.id, b.status`.execute(tx)
  return rows
}

interface Sent {
  input: { slot_id: string; hold_id?: string }
  caller: Caller
  db: UnitOfWork
  now: Date
}

/**
 * Finds the booking that an earlier submission of the same web form has made. A canceled or moved booking does not
 * count. A form with a hold needs no search, because a hold leads to only one booking. If two submissions run in
 * parallel, the second one waits until the first one commits.
 */
export async function findDuplicateSubmission({
  input: { slot_id, hold_id },
  caller: { principal, sentForm },
  db,
  now,
}: Sent): Promise<string | undefined> {
  if (hold_id !== undefined || sentForm === undefined) return undefined
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sent ${principal} ${sentForm}`}, 0))`.execute(db)
  const { rows } = await sql<{ id: string }>`
    select id from bookings
    where principal = ${principal} and status <> 'canceled' and ${isUnexpired(now)}
      and record ->> 'sent_form' = ${sentForm} and record ->> 'slot_id' = ${slot_id}
    order by created_at desc limit 1`.execute(db)
  return rows[0]?.id
}
