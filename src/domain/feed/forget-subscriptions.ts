import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/in-batches.ts'
import { DAY } from '../../infra/time/units.ts'

/** For as long as what was told of it is kept, too. */
const KNOWN_DAYS = 30

/** Forgets subscriptions that were canceled long ago. */
export const forgetSubscriptions = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'feed_subscriptions', 'canceled_at', new Date(now.getTime() - KNOWN_DAYS * DAY))
