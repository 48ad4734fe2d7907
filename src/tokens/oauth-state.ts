import { hash } from 'node:crypto'
import type { Database } from '../db/database.ts'

/** What is stored instead of an id, which may be a token or a cookie: whoever reads the database gets none. */
export const digestOf = (id: string): string => hash('sha256', id, 'base64url')

export async function forgetOldState(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('oauth_state').where('expires_at', '<', now).execute()
}
