import { sql } from 'kysely'
import { LOCK_TIMEOUT } from '../../infra/db/connection.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'

/** PostgreSQL's error code for a lock timeout. See https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Runs `work` with a short lock timeout, because another transaction may hold the needed locks and wait for this
 * transaction. If a lock times out, PostgreSQL undoes the work, and the function returns false.
 */
export async function unlessLockTimeout(tx: UnitOfWork, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await tx.attempt(async () => {
      await sql`set local lock_timeout = '200ms'`.execute(tx)
      await work()
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
    })
    return true
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== LOCK_NOT_AVAILABLE) throw error
    return false
  }
}
