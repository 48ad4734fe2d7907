import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import type { WaitlistEntry } from '../../../protocol/types.generated.ts'
import { type BookingSource, isFromSource } from '../../bookings/booking-source.ts'
import { type EntryRow, entryState, position } from '../../waitlist/queries.ts'

const idsOf = ({ rows }: { rows: { id: string }[] }): string[] => rows.map(({ id }) => id)

export async function entriesOfBookings(db: Database, bookings: readonly string[]): Promise<string[]> {
  return idsOf(
    await sql<{ id: string }>`
      select id from waitlist_entries where booking_id = any (${bookings}::text[]) order by id`.execute(db),
  )
}

export async function entriesOfEmail(db: Database, email: string): Promise<string[]> {
  return idsOf(
    await sql<{ id: string }>`
      select id from waitlist_entries where lower(buyer ->> 'email') = lower(${email}) order by id`.execute(db),
  )
}

/** Finds the waitlist entries that ended before `endedBefore` and still contain personal data. */
export async function entriesToErase(
  db: Database,
  endedBefore: Date,
  nobody: WaitlistEntry['buyer'],
  most: number,
): Promise<string[]> {
  return idsOf(
    await sql<{ id: string }>`
      select id from waitlist_entries
      where status not in ('waiting', 'offered') and updated_at <= ${endedBefore}
        and buyer ->> 'email' <> ${nobody.email}
      order by updated_at limit ${most}`.execute(db),
  )
}

export async function entriesAnonymize(
  tx: Database,
  ids: readonly string[],
  nobody: WaitlistEntry['buyer'],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('waitlist_entries')
    .set(({ eb }) => ({ buyer: JSON.stringify(nobody), revision: eb('revision', '+', 1), updated_at: now }))
    .where('id', 'in', ids)
    .execute()
}

export type EntryPosition = [serviceId: string, queue: string]

interface EntryQuery {
  service: string | undefined
  statuses: readonly string[]
  bookingSource?: BookingSource
  after: EntryPosition | undefined
  limit: number
}

/** Lists waitlist entries, grouped by service. The entries of each service are in the order of the waitlist. */
export async function entriesList(db: Database, query: EntryQuery, now: Date): Promise<EntryRow[]> {
  const { service, statuses, bookingSource, after, limit } = query
  const { rows } = await sql<EntryRow>`
    select e.*, ${position(now)} as position from waitlist_entries e
    where ${entryState(now)} = any (${statuses}::text[])
      ${service === undefined ? sql`` : sql`and e.service_id = ${service}`}
      ${bookingSource === undefined ? sql`` : sql`and ${isFromSource(bookingSource)}`}
      ${after === undefined ? sql`` : sql`and (e.service_id, e.queue) > (${after[0]}, ${after[1]}::bigint)`}
    order by e.service_id, e.queue limit ${limit}`.execute(db)
  return rows
}

/**
 * Stores a new order of the entries of a waitlist. The entries exchange their queue numbers, so no new numbers are
 * needed.
 */
export async function waitlistReorder(
  tx: Database,
  line: readonly EntryRow[],
  wanted: readonly EntryRow[],
): Promise<void> {
  const [ids, places] = [wanted.map(({ id }) => id), line.map(({ queue }) => queue)]
  await sql`
    update waitlist_entries e set queue = wanted.queue
    from unnest(${ids}::text[], ${places}::bigint[]) as wanted (id, queue)
    where e.id = wanted.id and e.queue <> wanted.queue`.execute(tx)
}
