import { sql } from 'kysely'
import { MINUTE } from '../time/units.ts'
import type { OpenDatabase } from './database.ts'
import { isDiskFull } from './failures.ts'

const lookedAt = new WeakMap<OpenDatabase, number>()

/**
 * Whether a change finds room. This is tried once a minute, and at each call after a change found none. Without calls no file has to
 * grow, and a server that is not ready gets no calls, so the fault and its end would stay unseen.
 */
export async function hasRoom(db: OpenDatabase): Promise<boolean> {
  const now = performance.now()
  if (!db.driver.isFull && now - (lookedAt.get(db) ?? Number.NEGATIVE_INFINITY) < MINUTE) return true
  lookedAt.set(db, now)
  try {
    await db.transaction().execute(async (tx) => {
      // No standby is waited for, whose loss is another matter.
      await sql`set local synchronous_commit = off`.execute(tx)
      await NEEDS_ROOM.execute(tx)
    })
  } catch (error) {
    if (isDiskFull(error)) return false
  }
  // Where it failed for another reason nobody knows, and the next change says so.
  db.driver.isFull = false
  return true
}

/** So much that a file has to grow for it. */
const NEEDS_ROOM = sql`
  create temporary table room on commit drop as select repeat(md5(n::text), 30) as filled from generate_series(1, 1000) n`
