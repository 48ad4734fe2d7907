import type { Context } from 'oidc-provider'
import { hasAccounts } from '../../core/authentication/authentication-policy.ts'
import { knownScopes } from '../../core/tokens/oauth-scopes.ts'
import { paths } from '../../core/tokens/own-issuer.ts'
import type { Config } from '../../infra/config/read-config.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Offers } from './oauth-features.ts'

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

const publishedOfAccounts = [
  'authorization_endpoint',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
]

/**
 * Publishes the metadata of the OAuth authorization server: the enabled endpoints of the OAuth library, and the
 * registration endpoint of this server.
 */
export const publishOwnMetadata =
  (offers: Offers, { baseUrl }: Config) =>
  async (context: Context, next: () => Promise<void>) => {
    await next()
    if (context.oidc?.route !== 'discovery') return
    const names = hasAccounts(offers) ? [...published, ...publishedOfAccounts] : published
    const metadata = new Map(Object.entries(asRecord(context.body)))
    context.body = {
      ...Object.fromEntries(names.map((name) => [name, metadata.get(name)])),
      ...(hasAccounts(offers) && { scopes_supported: knownScopes, response_modes_supported: ['query'] }),
      ...(offers.assistants && {
        registration_endpoint: baseUrl + paths.registration,
        client_id_metadata_document_supported: true,
      }),
      revocation_endpoint_auth_methods_supported: metadata.get('token_endpoint_auth_methods_supported'),
    }
  }
