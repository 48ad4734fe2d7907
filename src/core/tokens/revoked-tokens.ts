import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

/** A signed token proves itself until it expires; the one way to end it sooner is to write down that it has ended. */
export async function revokeToken(db: Database, jti: string, expiresAt: Date): Promise<void> {
  await sql`
    insert into revoked_tokens (jti, expires_at) values (${jti}, ${expiresAt}) on conflict do nothing`.execute(db)
}

/** Whether the token still stands, and the client it was given to is still one. */
export async function isInForce(db: Database, jti: string, client: string): Promise<boolean> {
  const { rows } = await sql`
    select from clients where id = ${client} and not exists (select from revoked_tokens where jti = ${jti})`.execute(db)
  return rows.length > 0
}

export async function forgetExpiredTokens(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('revoked_tokens').where('expires_at', '<', now).execute()
}
