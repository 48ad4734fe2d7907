import { sql } from 'kysely'
import { LOCK_PATIENCE } from '../db/connection.ts'
import type { Database } from '../db/database.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Others may hold what an offer needs while they wait for what this transaction holds: then nothing of the work stays,
 * and it answers no.
 */
export async function unlessHeldUp(tx: Database, work: () => Promise<unknown>): Promise<boolean> {
  await sql`savepoint offers`.execute(tx)
  await sql`set local lock_timeout = '200ms'`.execute(tx)
  try {
    await work()
    await sql`set local lock_timeout = ${sql.lit(LOCK_PATIENCE)}`.execute(tx)
    return true
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== LOCK_NOT_AVAILABLE) throw error
    await sql`rollback to savepoint offers`.execute(tx)
    return false
  }
}
