import { sql } from 'kysely'
import { LISTENER_APPLICATION_NAME } from '../core/jobs/announcements.ts'
import { reseal } from '../core/keys/reseal.ts'
import type { Config } from '../infra/config/config.ts'
import { type Database, SERVER_APPLICATION_NAME } from '../infra/db/database.ts'
import { PlainError } from '../infra/util/plain-error.ts'

/** Reseals stored secrets from the former secret key to the current one. Returns a report. */
export async function resealStored(db: Database, { secretKey, formerSecretKey }: Config): Promise<string> {
  if (secretKey === undefined || formerSecretKey === undefined)
    throw new PlainError('Set USP_SECRET_KEY to the new value and USP_SECRET_KEY_OLD to the previous one.')
  if (secretKey === formerSecretKey)
    throw new PlainError('USP_SECRET_KEY and USP_SECRET_KEY_OLD are the same. Set USP_SECRET_KEY to the new value.')
  if (await doesServerRun(db))
    throw new PlainError(
      'A server is running on this database. Stop all servers, run this again, then start them with the new key.',
    )
  const { keys, replies, unreadable } = await reseal(db, { former: formerSecretKey, next: secretKey })
  return [
    `${keys} keys and ${replies} stored replies are sealed with the new key. Start the servers with it, without USP_SECRET_KEY_OLD.`,
    ...(unreadable > 0
      ? [`${unreadable} stored replies could not be opened with the old key. Retries of these calls are refused.`]
      : []),
  ].join('\n')
}

/** Behind a pooler only the listening connection is visible, because it bypasses the pooler. */
async function doesServerRun(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where application_name in (${SERVER_APPLICATION_NAME}, ${LISTENER_APPLICATION_NAME}) and datname = current_database() limit 1`.execute(
    db,
  )
  return rows.length > 0
}
