import type { Database } from '../../infra/db/database.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { unusedPicturesDelete } from './picture-queries.ts'

/**
 * The server keeps an unused picture for this number of milliseconds. Platforms may still show the former catalogue, and
 * the staff may apply a former business definition again.
 */
const KEPT_UNUSED_MS = 30 * DAY

/** Deletes the pictures that the business definition no longer names, for example because their service was removed. */
export const deleteUnusedPictures = (db: Database, now: Date): Promise<void> =>
  unusedPicturesDelete(db, { now, before: new Date(now.getTime() - KEPT_UNUSED_MS) })
