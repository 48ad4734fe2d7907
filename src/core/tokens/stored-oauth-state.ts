import { hash } from 'node:crypto'
import type { Database } from '../../infra/db/database.ts'

/**
 * Returns the digest that the database stores instead of an id. The id can be a token or a cookie, so the database must
 * not reveal the id itself.
 */
export const digestOf = (id: string): string => hash('sha256', id, 'base64url')

export async function deleteExpiredOauthState(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('oauth_state').where('expires_at', '<', now).execute()
}

/** Whether an authorization request is still waiting for the buyer's answer and has not expired. */
export async function isLinkRequestOpen(db: Database, uid: string, now: Date): Promise<boolean> {
  const found = await db
    .selectFrom('oauth_state')
    .select('id')
    .where('model', '=', 'Interaction')
    .where('id', '=', digestOf(uid))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return found !== undefined
}
