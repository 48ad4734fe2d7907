import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { BATCH, inBatches } from '../db/in-batches.ts'
import { DAY } from '../time/units.ts'

/** For as long as what was told of it is kept, too. */
const KNOWN_DAYS = 30

/** Forgets subscriptions that were canceled long ago. */
export async function forgetSubscriptions(db: Database, now: Date): Promise<void> {
  const over = new Date(now.getTime() - KNOWN_DAYS * DAY)
  const forget = sql`
    delete from feed_subscriptions where id in (
      select id from feed_subscriptions where canceled_at < ${over} order by canceled_at limit ${BATCH} for update skip locked
    )`
  await inBatches(() => forget.execute(db))
}
