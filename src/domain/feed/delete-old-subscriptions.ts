import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/in-batches.ts'
import { DAY } from '../../infra/time/units.ts'

/** Events about a subscription are stored equally long. */
const RETENTION_DAYS = 30

export const deleteOldSubscriptions = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'feed_subscriptions', 'canceled_at', new Date(now.getTime() - RETENTION_DAYS * DAY))
