import { type Selectable, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/delete-in-batches.ts'
import { executePrepared } from '../../infra/db/prepared-statements.ts'
import type { DB } from '../../infra/db/schema.generated.ts'
import { DAY } from '../../infra/time/time-units.ts'

const RETENTION_DAYS = 7

export const oldestValid = (now: Date) => new Date(now.getTime() - RETENTION_DAYS * DAY)

type StoredReply = Pick<Selectable<DB['replies']>, 'fingerprint' | 'reply'>

/**
 * SQL that makes a repeated call wait for the standby databases, because the first call may have ended before the
 * standbys had its changes. The SQL writes a message to the write-ahead log, behind these changes. A standby that has
 * the message also has the changes. Without synchronous replication, the SQL does nothing.
 */
const waitForStandbys = sql`case when current_setting('synchronous_standby_names') <> ''
  then pg_logical_emit_message(true, 'usp', 'repeated') end`

/**
 * Finds the stored reply to a repeated call by the idempotency key of the call. A platform can sign the repeated call
 * with a different key. Therefore the function also finds replies to other keys of the same platform profile.
 */
export async function findReply(
  db: Database,
  key: string,
  { principal, publisher }: { principal: string; publisher: string | null },
  now: Date,
): Promise<StoredReply | undefined> {
  const query = sql<StoredReply>`
    select fingerprint, reply, ${waitForStandbys} from (
      select fingerprint, reply from replies
      where key = ${key} and created_at >= ${oldestValid(now)}
        and (principal = ${principal} or publisher = ${publisher})
      order by principal = ${principal} desc limit 1) found`
  const { rows } = await executePrepared(db, query)
  return rows[0]
}

/**
 * Erases the stored replies about the given subjects, such as bookings. The idempotency keys stay in the database, so
 * that a retry does not run the call a second time.
 */
export async function clearReplies(tx: Database, subjects: readonly string[]): Promise<void> {
  await sql`
    update replies set reply = null
    where subject = any (${subjects}::text[]) or (subjects is not null and subjects && ${subjects}::text[])`.execute(tx)
}

export const deleteExpiredReplies = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'replies', 'created_at', oldestValid(now))
