import type { KeyObject } from 'node:crypto'
import type { Config } from '../../infra/config/config.ts'
import type { Database } from '../../infra/db/database.ts'
import type { Issuer } from './issuer.ts'
import { keySet } from './key-set.ts'
import { publicKeys } from './keys.ts'
import { findValidGrant } from './linked-platforms.ts'
import { isTokenInForce } from './revoked-tokens.ts'
import { scopesIn } from './scopes.ts'

export const paths = {
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
  authorization: '/oauth/authorize',
  jwks: '/oauth/jwks',
  metadata: '/.well-known/oauth-authorization-server',
  openid: '/.well-known/openid-configuration',
}

/** This server as an issuer. Its clients are those with API keys, so a client's token and key have the same principal. */
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
      const stands = await findValidGrant(db, { jti, client, account, grant }, now)
      return stands && { principal, link: { buyer: account, scopes: scopesIn(scope), ...stands } }
    },
    tokenEndpoint: () => baseUrl + paths.token,
  }
}
