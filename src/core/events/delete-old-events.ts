import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, deleteBefore, deleteInBatches } from '../../infra/db/delete-in-batches.ts'
import { DAY } from '../../infra/time/time-units.ts'

const KEPT_DAYS = 30

/**
 * Deletes events that are older than 30 days. An event stays in the database while the server still has to send it to a
 * receiver.
 */
export async function deleteOldEvents(db: Database, now: Date): Promise<void> {
  const forget = sql`
    delete from events where id in (
      select id from events e
      where e.at < ${now}::timestamptz - ${KEPT_DAYS} * interval '1 day'
        and not exists (select from deliveries d where d.event_id = e.id and d.status = 'waiting')
      order by number limit ${BATCH} for update skip locked
    )`
  await deleteInBatches(() => forget.execute(db))
}

/**
 * Deletes the recorded failures of event receivers after 30 days. A receiver that once answered 410 (gone) then gets
 * one more attempt.
 */
export const deleteOldReceivers = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'receivers', 'noted_at', new Date(now.getTime() - KEPT_DAYS * DAY))
