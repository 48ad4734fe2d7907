import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import type { MailRow } from './queries.ts'

/**
 * The kinds of the messages with which an owner tests the mail server and the provider of text messages. The server makes
 * only one attempt to send such a message, and does not list a failed one in the inbox, because the owner looks at the
 * result at once.
 */
export const TEST_MAIL = 'mail_server_test'
export const TEST_TEXT = 'text_provider_test'
type TestKind = typeof TEST_MAIL | typeof TEST_TEXT

export const isTestMessage = ({ kind }: Pick<MailRow, 'kind'>): boolean => kind === TEST_MAIL || kind === TEST_TEXT

/**
 * Returns the latest test message since the last change of the settings, or undefined if there was none in the last month.
 * `revision` is the number of this change.
 */
export async function lastTest(
  db: Database,
  kind: TestKind,
  revision: string | null,
): Promise<Pick<MailRow, 'status' | 'problem'> | undefined> {
  const { rows } = await sql<Pick<MailRow, 'status' | 'problem'>>`
    select status, problem from mails
    where kind = ${kind} and snapshot ->> 'revision' is not distinct from ${revision}
    order by number desc limit 1`.execute(db)
  return rows[0]
}

export async function countTestsSince(db: Database, kind: TestKind, since: Date): Promise<number> {
  const answer = await sql<{ count: number }>`
    select count(*)::integer as count from mails where kind = ${kind} and created_at > ${since}`.execute(db)
  return onlyRow(answer).count
}
