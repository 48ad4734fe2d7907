import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, inBatches } from '../../infra/db/in-batches.ts'
import { MINUTE } from '../../infra/time/units.ts'

/** Another server's clock may be behind: what has lapsed by ours alone may still be kept by its holder there. */
const GRACE = MINUTE

/** Takes away time and places that lapsed and that nobody else has asked for since; whatever is in use is left alone. */
export async function tidyLedger(db: Database, now: Date): Promise<void> {
  const lapsed = new Date(now.getTime() - GRACE)
  const claims = sql`
    delete from claims where id in (
      select id from claims where expires_at <= ${lapsed} order by expires_at limit ${BATCH} for update skip locked
    )`
  const seats = sql`
    delete from seats where (holder_kind, holder_id, session_id) in (
      select holder_kind, holder_id, session_id from seats
      where expires_at <= ${lapsed} order by expires_at limit ${BATCH} for update skip locked
    )`
  await inBatches(() => claims.execute(db))
  await inBatches(() => seats.execute(db))
}
