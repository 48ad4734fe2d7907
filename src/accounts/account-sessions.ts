import type { Database } from '../db/database.ts'
import { newSecret } from '../keys/secrets.ts'
import { digestOf } from '../tokens/oauth-state.ts'
import type { BuyerAccount } from './buyer-accounts.ts'

/** Browser sessions, by a cookie that is stored as a digest: half an hour for whoever came with a password. */
const MODEL = 'Visit'
export const ACCOUNT_SESSION_SECONDS = 1800

/** Whose a session is. Only an account that was made by a link has a verified address. */
export interface SignedIn extends BuyerAccount {
  email: string
  isVerified: boolean
}

export async function accountSessionBegin(
  db: Database,
  account: string,
  now: Date,
  seconds = ACCOUNT_SESSION_SECONDS,
): Promise<string> {
  const secret = newSecret('visit')
  const row = { model: MODEL, id: digestOf(secret), payload: '{}', account_id: account, grant_id: null }
  const expires_at = new Date(now.getTime() + seconds * 1000)
  await db
    .insertInto('oauth_state')
    .values({ ...row, expires_at })
    .execute()
  return secret
}

export async function accountOfSession(db: Database, secret: string, now: Date): Promise<SignedIn | undefined> {
  const found = await db
    .selectFrom('oauth_state as s')
    .innerJoin('buyer_accounts as a', 'a.id', 's.account_id')
    .select(['a.id', 'a.name', 'a.email', 'a.verified_at'])
    .where('s.model', '=', MODEL)
    .where('s.id', '=', digestOf(secret))
    .where('s.expires_at', '>', now)
    .executeTakeFirst()
  if (!found) return undefined
  const { verified_at, ...account } = found
  return { ...account, isVerified: verified_at !== null }
}

export async function accountSessionEnd(db: Database, secret: string): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', MODEL).where('id', '=', digestOf(secret)).execute()
}

/** All of an account, in whichever browsers they are. */
export async function accountSessionsEnd(db: Database, account: string): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', MODEL).where('account_id', '=', account).execute()
}
