import { sql } from 'kysely'
import { MINUTE } from '../time/units.ts'
import type { OpenDatabase } from './database.ts'
import { isDiskFull } from './failures.ts'

const lookedAt = new WeakMap<OpenDatabase, number>()

/**
 * Whether the disk has space for a write. The server tries once a minute, and at each call after a write found the disk
 * full. An idle server would not notice a full disk. A server that is not ready gets no requests, so it would not notice
 * the end of the fault either.
 */
export async function hasDiskSpace(db: OpenDatabase): Promise<boolean> {
  const now = performance.now()
  if (!db.driver.isDiskFull && now - (lookedAt.get(db) ?? Number.NEGATIVE_INFINITY) < MINUTE) return true
  lookedAt.set(db, now)
  try {
    await db.transaction().execute(async (tx) => {
      // The probe does not wait for standbys, since a lost standby is another fault.
      await sql`set local synchronous_commit = off`.execute(tx)
      await GROW_A_FILE.execute(tx)
    })
  } catch (error) {
    if (isDiskFull(error)) return false
  }
  // After another error the state of the disk is unknown, and the next write reports it.
  db.driver.isDiskFull = false
  return true
}

/** Enough data that a file has to grow. */
const GROW_A_FILE = sql`
  create temporary table room on commit drop as select repeat(md5(n::text), 30) as filled from generate_series(1, 1000) n`
