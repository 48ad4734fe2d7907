import { sql } from 'kysely'
import type { Database } from '../../src/infra/db/database.ts'
import type { Booking } from '../../src/protocol/types.generated.ts'

/** Puts a booking where otherwise only the staff and time can bring it. */
export const statusSet = (db: Database, id: string, status: Booking['status']) =>
  db.updateTable('bookings').set({ status }).where('id', '=', id).execute()

/** What a booking takes up: resources of its own, or places in a class. */
export async function placesOf(db: Database, id: string): Promise<{ resources: string[]; spots: number }> {
  const { rows } = await sql<{ resources: string[]; spots: number }>`
    select coalesce((select array_agg(resource_id order by resource_id) from claims where holder_id = ${id}), '{}')
        as resources,
      coalesce((select sum(spots) from seats where holder_id = ${id}), 0)::integer as spots`.execute(db)
  return rows[0] ?? { resources: [], spots: 0 }
}
