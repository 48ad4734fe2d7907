import { sql } from 'kysely'
import type { MailRow } from '../../../core/mails/queries.ts'
import type { Database } from '../../../infra/db/database.ts'

/** The kind of the mail with which an owner tests the mail server. */
export const TEST_MAIL = 'mail_server_test'

/** Returns the latest test mail, or undefined if there was none in the last month. */
export async function lastTestMail(db: Database): Promise<Pick<MailRow, 'status' | 'problem'> | undefined> {
  const { rows } = await sql<Pick<MailRow, 'status' | 'problem'>>`
    select status, problem from mails where kind = ${TEST_MAIL} order by number desc limit 1`.execute(db)
  return rows[0]
}

export async function countTestMailsSince(db: Database, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from mails where kind = ${TEST_MAIL} and created_at > ${since}`.execute(db)
  return rows[0]?.count ?? 0
}
