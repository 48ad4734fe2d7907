import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/in-batches.ts'
import { DAY } from '../../infra/time/units.ts'

/**
 * For as long as answers are kept, a hold that ended is still known: it was released, or booked, or came to nothing. What
 * somebody gave back counts against the next for a day.
 */
const KNOWN_DAYS = 7

/** Forgets holds that ended long ago, and with them from where they were asked for. */
export const forgetHolds = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'holds', 'expires_at', new Date(now.getTime() - KNOWN_DAYS * DAY))
