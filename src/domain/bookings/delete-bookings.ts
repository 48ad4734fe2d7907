import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

/** Locks these bookings, in the same order as all other transactions. Returns the ids of those that exist. */
export async function bookingsLockAll(tx: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bookings where id = any (${ids}::text[]) order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Deletes bookings without a trace, which is only right for invented ones. Their claims, places, payments and waitlist
 * entries must be gone already.
 */
export async function bookingsDelete(tx: Database, ids: readonly string[]): Promise<void> {
  await sql`delete from bookings where id = any (${ids}::text[])`.execute(tx)
}
