import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { BATCH, inBatches } from '../db/in-batches.ts'
import { DAY } from '../time/units.ts'

/**
 * For as long as answers are kept, a hold that ended is still known: it was released, or booked, or came to nothing. What
 * somebody gave back counts against the next for a day.
 */
const KNOWN_DAYS = 7

/** Forgets holds that ended long ago, and with them from where they were asked for. */
export async function forgetHolds(db: Database, now: Date): Promise<void> {
  const over = new Date(now.getTime() - KNOWN_DAYS * DAY)
  const forget = sql`
    delete from holds where id in (
      select id from holds where expires_at < ${over} order by expires_at limit ${BATCH} for update skip locked
    )`
  await inBatches(() => forget.execute(db))
}
