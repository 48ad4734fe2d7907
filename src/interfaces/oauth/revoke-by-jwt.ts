import type { Context } from 'oidc-provider'
import { verifiedClaims } from '../../core/tokens/access-tokens.ts'
import type { Issuer } from '../../core/tokens/issuer.ts'
import { assistantResource } from '../../core/tokens/resources.ts'
import { revokeToken } from '../../core/tokens/revoked-tokens.ts'
import type { Config } from '../../infra/config/config.ts'
import type { Database } from '../../infra/db/database.ts'
import { recordOf } from '../../infra/util/record-of.ts'

/**
 * The provider keeps no record of signed tokens, so it declines to revoke them. By the time it does, it has
 * authenticated the client: what is left is to write down that the token has ended, if it is that client's.
 */
export const revokeByJwt =
  (db: Database, issuer: Issuer, config: Config, clock: () => Date) =>
  async (context: Context, next: () => Promise<void>) => {
    await next()
    const { route, client, params } = context.oidc ?? {}
    if (route !== 'revocation' || recordOf(context.body).error !== 'unsupported_token_type') return
    const audiences = [issuer.name, assistantResource(config)]
    const claims = await verifiedClaims(params?.token ?? '', issuer, audiences, clock())
    if (client && claims?.jti !== undefined && claims.exp !== undefined && claims.client_id === client.clientId)
      await revokeToken(db, claims.jti, new Date(claims.exp * 1000))
    // RFC 7009: a token that is not good, or not the client's, is answered alike.
    context.status = 200
    context.body = ''
  }
