import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/in-batches.ts'
import { DAY } from '../../infra/time/units.ts'

/**
 * Ended holds have the same storage time as stored replies: a caller can still read if a hold was released, booked or
 * expired. Released holds count against new holds for one day.
 */
const RETENTION_DAYS = 7

/** Deletes holds that ended long ago, together with the network address of their caller. */
export const deleteOldHolds = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'holds', 'expires_at', new Date(now.getTime() - RETENTION_DAYS * DAY))
