import { type Client, type Context, errors, Provider } from 'oidc-provider'
import { isSecretOf } from '../../core/authentication/api-keys.ts'
import { hasAccounts } from '../../core/authentication/authentication-policy.ts'
import { type AccessTokens, verifiedClaims } from '../../core/tokens/access-tokens.ts'
import { knownScopes } from '../../core/tokens/oauth-scopes.ts'
import { paths, revokeToken } from '../../core/tokens/own-issuer.ts'
import {
  assistantResource,
  isAssistantResource,
  PROOF_ALGORITHMS,
  protocolResources,
} from '../../core/tokens/token-audiences.ts'
import type { Issuer } from '../../core/tokens/token-issuer.ts'
import { privateKeys } from '../../core/tokens/token-signing-keys.ts'
import type { Config } from '../../infra/config/read-config.ts'
import type { Database } from '../../infra/db/database.ts'
import { isThisMachine } from '../../infra/net/ip-addresses.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { failedPage } from './failed-authorization-page.ts'
import { isAssistant } from './is-assistant-client.ts'
import type { Offers } from './oauth-features.ts'
import { linkingSettings } from './oidc-provider-settings.ts'
import { providerStorage } from './oidc-provider-storage.ts'
import { publishOwnMetadata } from './server-metadata.ts'

export type ProviderDependencies = Dependencies<'db' | 'business' | 'config' | 'clock' | 'log' | 'oauthKey'> & {
  accessTokens: AccessTokens
}

const LIFETIME_SECONDS = 600

/**
 * Creates the OAuth authorization server. It issues tokens to platforms that act for themselves (`client_credentials`).
 * If buyers have accounts, it also issues authorization codes, so that clients can act for buyers. All other endpoints
 * are off.
 */
export async function makeProvider(dependencies: ProviderDependencies, offers: Offers): Promise<Provider> {
  const { db, config, clock, log, oauthKey, accessTokens } = dependencies
  const { platforms, assistants } = offers
  const { ttl, ...settings } = hasAccounts(offers) ? linkingSettings(dependencies) : { ttl: {}, responseTypes: [] }
  const issuer = config.baseUrl
  const off = { enabled: false }
  const provider = new Provider(issuer, {
    ...settings,
    adapter: providerStorage(db, clock, offers),
    jwks: await privateKeys(db, oauthKey, clock()),
    routes: {
      token: paths.token,
      revocation: paths.revocation,
      jwks: paths.jwks,
      authorization: paths.authorization,
    },
    clientAuthMethods: [
      ...(platforms ? ['client_secret_basic', 'client_secret_post'] : []),
      ...(assistants ? ['none'] : []),
    ],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { dPoPSigningAlgValues: PROOF_ALGORITHMS },
    scopes: [],
    ttl: { ...ttl, ClientCredentials: LIFETIME_SECONDS, AccessToken: LIFETIME_SECONDS },
    features: {
      clientCredentials: { enabled: platforms },
      revocation: {
        enabled: true,
        allowedPolicy: (_: Context, client: Client, token: { clientId: string }) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_: Context, client: Client) => (isAssistant(client) ? assistantResource(config) : issuer),
        getResourceServerInfo({ oidc }: Context, resource: string, client: Client) {
          const audience = audienceFor(client, resource, config)
          if (audience === undefined) throw new errors.InvalidTarget()
          // A client that acts for itself gets no scopes, because only a buyer can grant scopes.
          const scope = oidc?.params?.grant_type === 'client_credentials' ? '' : knownScopes.join(' ')
          return { scope, audience, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } }
        },
      },
      devInteractions: off,
      userinfo: off,
      rpInitiatedLogout: off,
      pushedAuthorizationRequests: off,
    },
  })
  provider.Client.prototype.compareClientSecret = function (secret) {
    return isSecretOf(db, this.clientId, secret, clock())
  }
  // The OAuth library builds URLs from the configured URL of this server. Otherwise, it would use the header `Host`,
  // which any caller can choose.
  Object.defineProperty(provider.request, 'href', { value: issuer })
  Object.defineProperty(provider.request, 'secure', { value: issuer.startsWith('https:') })
  provider.use(publishOwnMetadata(offers, config))
  provider.use(warnBeforeRedirect(dependencies))
  provider.use(revokeByJwt(db, accessTokens.serverIssuer, config, clock))
  provider.on('server_error', (_, err) => log.error({ err }, 'A request to the authorization server failed.'))
  provider.on('error', (err) => log.error({ err }, 'The authorization server reports an error.'))
  return provider
}

/**
 * Returns the audience (the resource that accepts the tokens) of the tokens that a client gets for an OAuth resource.
 * Returns undefined if the client must not use the resource.
 */
function audienceFor(client: Client, resource: string, config: Config): string | undefined {
  if (isAssistant(client)) return isAssistantResource(resource, config) ? assistantResource(config) : undefined
  return protocolResources(config).includes(resource) ? config.baseUrl : undefined
}

/**
 * Revokes signed access tokens. The OAuth library does not store them, so it cannot revoke them. It authenticates the
 * client, and answers `unsupported_token_type`. If the token belongs to the client, the server then records the token
 * as revoked.
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
    // RFC 7009 requires the status 200 for each revocation request, even if the token is invalid or belongs to another
    // client.
    context.status = 200
    context.body = ''
  }

/**
 * After a refused authorization request of an assistant, shows a page with a link instead of redirecting. Any caller
 * can register an assistant with any redirect URL, so an immediate redirect would be an open redirect (RFC 9700,
 * section 4.11.2). The server redirects at once only to a program on the person's own machine.
 */
export const warnBeforeRedirect =
  (dependencies: Dependencies<'business'>) =>
  async (context: Context, next: () => Promise<void>): Promise<void> => {
    await next()
    const { route, client } = context.oidc ?? {}
    if (route !== 'authorization' || !client || !isAssistant(client)) return
    // `URL.parse` returns null for a relative path. Such a path leads to a page of this server, so it needs no warning.
    const back = URL.parse(context.response.get('location'))
    if (!back || isThisMachine(back)) return
    const parameters = new URLSearchParams(back.search || back.hash.slice(1))
    const { status, headers, body } = await failedPage(
      {
        status: 400,
        why: parameters.get('error_description') ?? parameters.get('error') ?? undefined,
        back,
        url: context.url,
        headers: context.headers,
      },
      dependencies,
    )
    context.remove('location')
    context.set(headers)
    Object.assign(context, { status, body })
  }
