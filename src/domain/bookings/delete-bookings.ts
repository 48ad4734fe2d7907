import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

/**
 * Locks the bookings with these ids, in the same order as all other transactions. Returns the ids of the existing
 * bookings.
 */
export async function bookingsLockAll(tx: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings where id = any (${ids}::text[]) order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Deletes bookings without an audit log entry or an event. Use this function only for invented bookings, such as demo
 * data. The reserved times, seats, payments and waitlist entries of the bookings must be deleted before.
 */
export async function bookingsDelete(tx: Database, ids: readonly string[]): Promise<void> {
  await sql`delete from bookings where id = any (${ids}::text[])`.execute(tx)
}
