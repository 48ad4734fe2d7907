import type { Database } from '../db/database.ts'
import { newSecret } from '../keys/secrets.ts'
import { digestOf } from '../tokens/oauth-state.ts'

/** Browser sessions on the account page: half an hour each, by a cookie that is stored as a digest. */
const MODEL = 'Visit'
export const ACCOUNT_SESSION_SECONDS = 1800

export async function accountSessionBegin(db: Database, account: string, now: Date): Promise<string> {
  const secret = newSecret('visit')
  const row = { model: MODEL, id: digestOf(secret), payload: '{}', account_id: account, grant_id: null }
  const expires_at = new Date(now.getTime() + ACCOUNT_SESSION_SECONDS * 1000)
  await db
    .insertInto('oauth_state')
    .values({ ...row, expires_at })
    .execute()
  return secret
}

export async function accountOfSession(db: Database, secret: string, now: Date) {
  return db
    .selectFrom('oauth_state as s')
    .innerJoin('buyer_accounts as a', 'a.id', 's.account_id')
    .select(['a.id', 'a.name'])
    .where('s.model', '=', MODEL)
    .where('s.id', '=', digestOf(secret))
    .where('s.expires_at', '>', now)
    .executeTakeFirst()
}

export async function accountSessionEnd(db: Database, secret: string): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', MODEL).where('id', '=', digestOf(secret)).execute()
}
