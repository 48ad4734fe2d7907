import { sql } from 'kysely'
import { MINUTE } from '../time/units.ts'
import type { OpenDatabase } from './database.ts'
import { isDiskFull } from './failures.ts'

const lookedAt = new WeakMap<OpenDatabase, number>()

/**
 * Whether a change finds room. That is tried once a minute, and each time where one found none: nobody else would find out, since a
 * server that is not ready is sent nothing to write, and without calls nothing is written that needs a file to grow.
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
