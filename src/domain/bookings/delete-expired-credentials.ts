import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, deleteInBatches } from '../../infra/db/in-batches.ts'
import { DAY } from '../../infra/time/units.ts'
import { endings } from './lifecycle.ts'

/** Days after the end of a booking in which its credential may be renewed, if the status is not final yet. */
const RENEWED_DAYS = 30

export async function deleteExpiredCredentials(db: Database, now: Date): Promise<void> {
  const past = new Date(now.getTime() - RENEWED_DAYS * DAY)
  const forget = sql`
    delete from scoped_credentials where value_hash in (
      select value_hash from scoped_credentials c
      where expires_at < ${now} and not exists (
        select from bookings b
        where c.resource_kind = 'booking' and b.id = c.resource_id and b.status <> all (${endings}::text[]) and b.ends_at > ${past}
      )
      order by expires_at limit ${BATCH} for update skip locked
    )`
  await deleteInBatches(() => forget.execute(db))
}
