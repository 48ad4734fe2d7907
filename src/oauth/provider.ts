import { type Context, errors, Provider } from 'oidc-provider'
import type { Runtime } from '../runtime.ts'
import { isSecretOf } from '../trust/api-keys.ts'
import { privateKeys } from './keys.ts'
import { paths } from './own-issuer.ts'
import { revokeByJwt } from './revoke-by-jwt.ts'
import { stateIn } from './state.ts'

const LIFETIME_SECONDS = 600

/** The authorization server: client_credentials alone, and of all its endpoints those that this grant needs. */
export async function makeProvider({ db, config, clock, log, oauthKey, accessTokens }: Runtime): Promise<Provider> {
  const issuer = config.baseUrl
  const off = { enabled: false }
  const provider = new Provider(issuer, {
    adapter: stateIn(db, clock),
    jwks: await privateKeys(db, oauthKey, clock()),
    routes: { token: paths.token, revocation: paths.revocation, jwks: paths.jwks },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { dPoPSigningAlgValues: ['ES256', 'EdDSA', 'Ed25519'] },
    responseTypes: [],
    scopes: [],
    ttl: { ClientCredentials: LIFETIME_SECONDS },
    features: {
      clientCredentials: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => issuer,
        getResourceServerInfo(_: Context, resource: string) {
          if (resource !== issuer) throw new errors.InvalidTarget()
          return { scope: '', audience: issuer, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } }
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
  provider.use(tellOwnMetadata)
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

/** Its metadata speaks of endpoints for signing people in as well, which are not served. */
async function tellOwnMetadata(context: Context, next: () => Promise<void>) {
  await next()
  if (context.oidc?.route !== 'discovery') return
  const metadata = new Map(Object.entries(Object(context.body)))
  context.body = {
    ...Object.fromEntries(published.map((name) => [name, metadata.get(name)])),
    revocation_endpoint_auth_methods_supported: metadata.get('token_endpoint_auth_methods_supported'),
  }
}
