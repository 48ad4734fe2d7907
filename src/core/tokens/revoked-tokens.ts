import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'

/** A signed token is valid until it expires. Recording its end is the only way to end it sooner. */
export async function revokeToken(db: Database, jti: string, expiresAt: Date): Promise<void> {
  await sql`
    insert into revoked_tokens (jti, expires_at) values (${jti}, ${expiresAt}) on conflict do nothing`.execute(db)
}

export async function isTokenInForce(db: Database, jti: string, client: string): Promise<boolean> {
  const { rows } = await sql`
    select from clients where id = ${client} and not exists (select from revoked_tokens where jti = ${jti})`.execute(db)
  return rows.length > 0
}

export async function deleteExpiredRevocations(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('revoked_tokens').where('expires_at', '<', now).execute()
}
