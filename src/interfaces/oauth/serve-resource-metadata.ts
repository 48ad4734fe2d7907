import type { FastifyInstance } from 'fastify'
import { type Policy, policyOf } from '../../core/authentication/authentication-policy.ts'
import { publicOrigin } from '../../core/egress/own-public-address.ts'
import { ASSISTANT_SCOPE } from '../../core/tokens/oauth-scopes.ts'
import { PROOF_ALGORITHMS, RESOURCE_METADATA } from '../../core/tokens/token-audiences.ts'
import type { Config } from '../../infra/config/read-config.ts'
import { ASSISTANT_PATH, MCP_PATH } from '../../protocol/base-url-paths.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'
import type { OauthDependencies } from './serve.ts'

/**
 * The paths of the OAuth resources (the parts of the server that need a token): the whole server, and its two MCP
 * endpoints.
 */
const resources = ['', ASSISTANT_PATH, MCP_PATH] as const

/**
 * Serves the metadata of OAuth resources (RFC 9728). The metadata name the token issuers and the scopes that clients
 * need.
 */
export function serveResources(scope: FastifyInstance, { business, config }: OauthDependencies) {
  for (const path of resources) {
    const url = RESOURCE_METADATA + path
    scope.route({
      method: 'GET',
      url,
      ...allowAnyOrigin(guarded('oauth_resource', withoutGuard('the same for everybody, and kept'))),
      exposeHeadRoute: false,
      handler: async ({ headers: { host } }, reply) => {
        const policy = policyOf(await business.get(), config)
        const issuers = issuersOf(path, policy, config)
        if (issuers.length === 0) throw new ProtocolError('not_found', 'No access tokens are accepted there.')
        return reply.header('cache-control', 'public, max-age=300').send({
          resource: publicOrigin(config, host) + path,
          authorization_servers: issuers,
          scopes_supported: [ASSISTANT_SCOPE],
          bearer_methods_supported: ['header'],
          // The MCP endpoint for platforms lists no algorithms for DPoP (proofs in HTTP headers), because it accepts
          // proofs only in messages.
          ...(path !== MCP_PATH && policy.assistants && { dpop_signing_alg_values_supported: PROOF_ALGORITHMS }),
        })
      },
    })
    refuseOtherMethods(scope, url, ['GET'])
  }
}

/** Returns the token issuers that the server accepts for the OAuth resource at a path. */
function issuersOf(path: (typeof resources)[number], policy: Policy, { baseUrl }: Config): string[] {
  const { assistants, accepted, oauthIssuer } = policy
  const issuers = [
    ...(path !== MCP_PATH && assistants ? [baseUrl] : []),
    ...(path !== ASSISTANT_PATH && accepted.includes('oauth2_bearer') ? [oauthIssuer ?? baseUrl] : []),
  ]
  return [...new Set(issuers)]
}
