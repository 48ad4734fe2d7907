import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, deleteBefore, inBatches } from '../../infra/db/in-batches.ts'
import { DAY } from '../../infra/time/units.ts'

const KEPT_DAYS = 30

/** What everybody it concerned has received, or never will, is kept for a month. */
export async function forgetOldEvents(db: Database, now: Date): Promise<void> {
  const forget = sql`
    delete from events where id in (
      select id from events e
      where e.at < ${now}::timestamptz - ${KEPT_DAYS} * interval '1 day'
        and not exists (select from deliveries d where d.event_id = e.id and d.status = 'waiting')
      order by number limit ${BATCH} for update skip locked
    )`
  await inBatches(() => forget.execute(db))
}

/** So is what went wrong at a receiver: one that wanted no more then is asked once again. */
export const forgetReceivers = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'receivers', 'noted_at', new Date(now.getTime() - KEPT_DAYS * DAY))
