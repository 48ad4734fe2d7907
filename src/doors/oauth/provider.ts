import { type Client, type Context, errors, Provider } from 'oidc-provider'
import { isSecretOf } from '../../authentication/api-keys.ts'
import { recordOf } from '../../basics/record-of.ts'
import type { Means } from '../../protocol/means.ts'
import type { AccessTokens } from '../../tokens/access-tokens.ts'
import { privateKeys } from '../../tokens/keys.ts'
import { paths } from '../../tokens/own-issuer.ts'
import { knownScopes } from '../../tokens/scopes.ts'
import { stateIn } from './adapter.ts'
import { linkingSettings } from './linking.ts'
import { revokeByJwt } from './revoke-by-jwt.ts'

export type ProviderMeans = Means<'db' | 'business' | 'config' | 'clock' | 'log' | 'oauthKey'> & {
  accessTokens: AccessTokens
}

const LIFETIME_SECONDS = 600

/** The authorization server: client_credentials, and the codes of linking where it is offered. No endpoint besides. */
export async function makeProvider(means: ProviderMeans, linking: boolean): Promise<Provider> {
  const { db, config, clock, log, oauthKey, accessTokens } = means
  const { ttl, ...settings } = linking ? linkingSettings(means) : { ttl: {}, responseTypes: [] }
  const issuer = config.baseUrl
  const off = { enabled: false }
  const provider = new Provider(issuer, {
    ...settings,
    adapter: stateIn(db, clock, linking),
    jwks: await privateKeys(db, oauthKey, clock()),
    routes: {
      token: paths.token,
      revocation: paths.revocation,
      jwks: paths.jwks,
      authorization: paths.authorization,
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { dPoPSigningAlgValues: ['ES256', 'EdDSA', 'Ed25519'] },
    scopes: [],
    ttl: { ...ttl, ClientCredentials: LIFETIME_SECONDS, AccessToken: LIFETIME_SECONDS },
    features: {
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (_: Context, client: Client, token: { clientId: string }) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => issuer,
        getResourceServerInfo({ oidc }: Context, resource: string) {
          if (resource !== issuer) throw new errors.InvalidTarget()
          // Only a buyer can grant any.
          const scope = oidc?.params?.grant_type === 'client_credentials' ? '' : knownScopes.join(' ')
          return { scope, audience: issuer, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } }
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
  // Addresses are made of the issuer's, whatever the Host header says.
  Object.defineProperty(provider.request, 'href', { value: issuer })
  Object.defineProperty(provider.request, 'secure', { value: issuer.startsWith('https:') })
  provider.use(tellOwnMetadata(linking))
  provider.use(revokeByJwt(db, accessTokens.own, clock))
  provider.on('server_error', (_, err) => log.error({ err }, 'oauth'))
  provider.on('error', (err) => log.error({ err }, 'oauth'))
  return provider
}

const published = [
  'issuer',
  'token_endpoint',
  'revocation_endpoint',
  'jwks_uri',
  'grant_types_supported',
  'response_types_supported',
  'token_endpoint_auth_methods_supported',
  'dpop_signing_alg_values_supported',
]

const publishedOfLinking = [
  'authorization_endpoint',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
]

/** Its metadata speaks of endpoints for signing people in as well, which are not served. */
const tellOwnMetadata = (linking: boolean) => async (context: Context, next: () => Promise<void>) => {
  await next()
  if (context.oidc?.route !== 'discovery') return
  const names = linking ? [...published, ...publishedOfLinking] : published
  const metadata = new Map(Object.entries(recordOf(context.body)))
  context.body = {
    ...Object.fromEntries(names.map((name) => [name, metadata.get(name)])),
    ...(linking && { scopes_supported: knownScopes, response_modes_supported: ['query'] }),
    revocation_endpoint_auth_methods_supported: metadata.get('token_endpoint_auth_methods_supported'),
  }
}
