import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { WaitlistEntry } from '../protocol/types.generated.ts'

const idsOf = ({ rows }: { rows: { id: string }[] }): string[] => rows.map(({ id }) => id)

/** Waitlist entries that became these bookings. */
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

/** Entries that had left the line by then and still name somebody else than `nobody`. */
export async function entriesToForget(
  db: Database,
  left: Date,
  nobody: WaitlistEntry['buyer'],
  most: number,
): Promise<string[]> {
  return idsOf(
    await sql<{ id: string }>`
      select id from waitlist_entries
      where status not in ('waiting', 'offered') and updated_at <= ${left} and buyer ->> 'email' <> ${nobody.email}
      order by updated_at limit ${most}`.execute(db),
  )
}

export async function entriesForget(
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
