import { sql } from 'kysely'
import type { OpenDatabase } from './database.ts'
import { isDiskFull } from './failures.ts'

/**
 * Where a change found no room: whether there is some by now. Nobody else would find out, since a server that is not ready is sent
 * nothing to write, and what could not be written down is not begun.
 */
export async function hasRoom(db: OpenDatabase): Promise<boolean> {
  if (!db.driver.isFull) return true
  try {
    await db.transaction().execute((tx) => NEEDS_ROOM.execute(tx))
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
