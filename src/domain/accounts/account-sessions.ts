import { sql } from 'kysely'
import { newSecret } from '../../core/keys/encrypt-secrets.ts'
import { digestOf } from '../../core/tokens/stored-oauth-state.ts'
import type { Database } from '../../infra/db/database.ts'
import type { BuyerAccount } from './buyer-accounts.ts'

/**
 * The value of the column `model` that marks a row of the table `oauth_state` as the browser session of a buyer. The
 * row stores a digest (hash) of the session cookie, and never the cookie itself.
 */
const MODEL = 'Visit'

export interface AccountSession {
  secret: string
  seconds: number
}

const BY_PASSWORD_SECONDS = 30 * 60

/**
 * A browser session that began with a mailed sign-in link lasts this many seconds (30 days). The server does not extend
 * a session. Most buyers look at their bookings every few weeks, so a shorter session would often require a new mail. A
 * longer session would give a thief of the mailbox or the device access for too long.
 */
const BY_LINK_SECONDS = 30 * 24 * 3600

export async function sessionByLink(tx: Database, account: string, now: Date): Promise<AccountSession> {
  const [session, row] = newSession(BY_LINK_SECONDS, now)
  await tx
    .insertInto('oauth_state')
    .values({ ...row, account_id: account })
    .execute()
  return session
}

/**
 * Starts a browser session for the buyer account with this email address and this password hash. If another call has
 * just changed the password, no account matches, and no session starts.
 */
export async function sessionByPassword(
  db: Database,
  { email, password }: { email: string; password: string },
  now: Date,
): Promise<AccountSession | undefined> {
  const [session, { model, id, payload, expires_at }] = newSession(BY_PASSWORD_SECONDS, now)
  const { rows } = await sql`
    insert into oauth_state (model, id, payload, expires_at, account_id)
    select ${model}, ${id}, ${payload}::jsonb, ${expires_at}::timestamptz, a.id from buyer_accounts a
    where a.email = ${email} and a.password = ${password} for share
    returning id`.execute(db)
  return rows.length > 0 ? session : undefined
}

function newSession(seconds: number, now: Date) {
  const secret = newSecret('visit')
  const expires_at = new Date(now.getTime() + seconds * 1000)
  return [
    { secret, seconds },
    { model: MODEL, id: digestOf(secret), payload: '{}', expires_at },
  ] as const
}

export async function accountOfSession(db: Database, secret: string, now: Date): Promise<BuyerAccount | undefined> {
  const found = await db
    .selectFrom('oauth_state as s')
    .innerJoin('buyer_accounts as a', 'a.id', 's.account_id')
    .select(['a.id', 'a.email', 'a.verified_at'])
    .where('s.model', '=', MODEL)
    .where('s.id', '=', digestOf(secret))
    .where('s.expires_at', '>', now)
    .executeTakeFirst()
  return found && { id: found.id, email: found.email, isVerified: found.verified_at !== null }
}

export async function accountSessionEnd(db: Database, secret: string): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', MODEL).where('id', '=', digestOf(secret)).execute()
}

export async function accountSessionsEnd(db: Database, account: string): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', MODEL).where('account_id', '=', account).execute()
}
