import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Config } from '../../infra/config/read-config.ts'
import type { Database } from '../../infra/db/database.ts'
import { keySet } from './issuer-key-set.ts'
import { findValidGrant } from './linked-platforms.ts'
import { scopesIn } from './oauth-scopes.ts'
import type { Issuer } from './token-issuer.ts'
import { publicKeys } from './token-signing-keys.ts'

export const paths = {
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
  authorization: '/oauth/authorize',
  jwks: '/oauth/jwks',
  metadata: '/.well-known/oauth-authorization-server',
  openid: '/.well-known/openid-configuration',
}

/**
 * This server as an issuer of access tokens. A client with an access token has the same stored name as with its API
 * key.
 */
export function ownIssuer(db: Database, { baseUrl }: Config, boxKey: KeyObject, clock: () => Date): Issuer {
  const keys = keySet(async () => ({ keys: await publicKeys(db, boxKey, clock()) }), clock)
  return {
    name: baseUrl,
    algorithms: ['ES256'],
    typ: 'at+jwt',
    findKey: keys.find,
    async subjectOf({ jti, client_id: client, sub: account, grant, scope }, now) {
      if (typeof client !== 'string' || jti === undefined || account === undefined) return undefined
      const principal = `client:${client}`
      if (account === client) return (await isTokenInForce(db, jti, client)) ? { principal } : undefined
      if (typeof grant !== 'string') return undefined
      const grantState = await findValidGrant(db, { jti, client, account, grant }, now)
      return grantState && { principal, link: { buyer: account, scopes: scopesIn(scope), ...grantState } }
    },
    tokenEndpoint: () => baseUrl + paths.token,
  }
}

/**
 * Revokes an access token by storing its id in the database. Without this entry, a signed token would stay valid until
 * its expiry.
 */
export async function revokeToken(db: Database, jti: string, expiresAt: Date): Promise<void> {
  await sql`
    insert into revoked_tokens (jti, expires_at) values (${jti}, ${expiresAt}) on conflict do nothing`.execute(db)
}

async function isTokenInForce(db: Database, jti: string, client: string): Promise<boolean> {
  const { rows } = await sql`
    select from clients where id = ${client} and not exists (select from revoked_tokens where jti = ${jti})`.execute(db)
  return rows.length > 0
}

export async function deleteExpiredRevocations(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('revoked_tokens').where('expires_at', '<', now).execute()
}
