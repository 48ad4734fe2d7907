import type { KeyObject } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Issuer } from './issuer.ts'
import { keySet } from './key-set.ts'
import { publicKeys } from './keys.ts'
import { isInForce } from './revoked-tokens.ts'

export const paths = {
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
  metadata: '/.well-known/oauth-authorization-server',
}

/** This server itself. Its clients are those that have API keys, so a token and a key of one are the same principal. */
export function ownIssuer(db: Database, { baseUrl }: Config, boxKey: KeyObject, clock: () => Date): Issuer {
  const keys = keySet(async () => ({ keys: await publicKeys(db, boxKey, clock()) }), clock)
  return {
    name: baseUrl,
    algorithms: ['ES256'],
    typ: 'at+jwt',
    findKey: keys.find,
    async principalOf({ jti, client_id }) {
      if (typeof client_id !== 'string' || jti === undefined) return undefined
      return (await isInForce(db, jti, client_id)) ? `client:${client_id}` : undefined
    },
    tokenEndpoint: async () => baseUrl + paths.token,
  }
}
