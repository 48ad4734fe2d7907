import type { Context } from 'oidc-provider'
import { verifiedClaims } from '../../core/tokens/access-tokens.ts'
import type { Issuer } from '../../core/tokens/issuer.ts'
import { revokeToken } from '../../core/tokens/own-issuer.ts'
import { assistantResource } from '../../core/tokens/resources.ts'
import type { Config } from '../../infra/config/config.ts'
import type { Database } from '../../infra/db/database.ts'
import { asRecord } from '../../infra/util/records.ts'

/**
 * The provider stores no signed tokens, so it refuses to revoke them. At this point it has authenticated the client.
 * This middleware then records the token as revoked, if it belongs to that client.
 */
export const revokeByJwt =
  (db: Database, issuer: Issuer, config: Config, clock: () => Date) =>
  async (context: Context, next: () => Promise<void>) => {
    await next()
    const { route, client, params } = context.oidc ?? {}
    if (route !== 'revocation' || asRecord(context.body).error !== 'unsupported_token_type') return
    const audiences = [issuer.name, assistantResource(config)]
    const claims = await verifiedClaims(params?.token ?? '', issuer, audiences, clock())
    if (client && claims?.jti !== undefined && claims.exp !== undefined && claims.client_id === client.clientId)
      await revokeToken(db, claims.jti, new Date(claims.exp * 1000))
    // RFC 7009: an invalid token, or a token of another client, gets the same answer.
    context.status = 200
    context.body = ''
  }
