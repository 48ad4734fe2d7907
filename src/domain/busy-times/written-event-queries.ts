import { type Selectable, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { WrittenEvents } from '../../infra/db/schema.generated.ts'

/** The digest of an event that must be written again. */
export const OUTDATED = Buffer.alloc(0)
/** Stands for the version of an event that does not exist yet, or no longer. The server then creates the event. */
export const GONE = 'gone'

export type WrittenEvent = Selectable<WrittenEvents>

export const writtenFind = (db: Database, writer: string, subject: string): Promise<WrittenEvent | undefined> =>
  db
    .selectFrom('written_events')
    .selectAll()
    .where('writer_id', '=', writer)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** The written events that have not ended. */
export const writtenUpcoming = (db: Database, writer: string, now: Date): Promise<WrittenEvent[]> =>
  db
    .selectFrom('written_events')
    .selectAll()
    .where('writer_id', '=', writer)
    .where('ends_at', '>', now)
    .orderBy('subject')
    .execute()

/**
 * Stores an event as it is in the calendar. A note about a change that was put back stays until the time of the booking
 * changes.
 */
export async function writtenStore(
  tx: Database,
  event: Pick<WrittenEvent, 'writer_id' | 'subject' | 'address' | 'etag' | 'digest' | 'starts_at' | 'ends_at'>,
): Promise<WrittenEvent> {
  return await tx
    .insertInto('written_events')
    .values(event)
    .onConflict((conflict) =>
      conflict.columns(['writer_id', 'subject']).doUpdateSet((row) => ({
        address: row.ref('excluded.address'),
        etag: row.ref('excluded.etag'),
        digest: row.ref('excluded.digest'),
        starts_at: row.ref('excluded.starts_at'),
        ends_at: row.ref('excluded.ends_at'),
        question: sql`case when written_events.question = 'put_back' and written_events.starts_at = excluded.starts_at
          then written_events.question end`,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function writtenUpdate(
  tx: Database,
  { writer_id, subject }: Pick<WrittenEvent, 'writer_id' | 'subject'>,
  set: Partial<Omit<WrittenEvent, 'writer_id' | 'subject'>>,
): Promise<void> {
  await tx
    .updateTable('written_events')
    .set(set)
    .where('writer_id', '=', writer_id)
    .where('subject', '=', subject)
    .execute()
}

export async function writtenDelete(
  tx: Database,
  { writer_id, subject }: Pick<WrittenEvent, 'writer_id' | 'subject'>,
): Promise<void> {
  await tx.deleteFrom('written_events').where('writer_id', '=', writer_id).where('subject', '=', subject).execute()
}
