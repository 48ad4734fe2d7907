import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { MailRow } from './queries.ts'

/**
 * The kind of the mail with which an owner tests the mail server. The server makes only one attempt to send a test mail,
 * and does not list a failed one in the inbox, because the owner looks at the result at once.
 */
export const TEST_MAIL = 'mail_server_test'

/** Returns the latest test mail through the current mail server, or undefined if there was none in the last month. */
export async function lastTestMail(db: Database): Promise<Pick<MailRow, 'status' | 'problem'> | undefined> {
  const { rows } = await sql<Pick<MailRow, 'status' | 'problem'>>`
    select status, problem from mails
    where kind = ${TEST_MAIL}
      and snapshot ->> 'revision' is not distinct from (select revision::text from mail_server)
    order by number desc limit 1`.execute(db)
  return rows[0]
}

export async function countTestMailsSince(db: Database, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from mails where kind = ${TEST_MAIL} and created_at > ${since}`.execute(db)
  return rows[0]?.count ?? 0
}
