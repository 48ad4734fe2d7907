import type { FastifyInstance } from 'fastify'
import { type Policy, policyOf } from '../../authentication/mechanisms.ts'
import type { Config } from '../../config/config.ts'
import { publicOrigin } from '../../egress/public-address.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { ASSISTANT_PATH, MCP_PATH } from '../../protocol/paths.ts'
import { PROOF_ALGORITHMS, RESOURCE_METADATA } from '../../tokens/resources.ts'
import { ASSISTANT_SCOPE } from '../../tokens/scopes.ts'
import { guarded, open } from '../http/guards.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import type { OauthMeans } from './serve.ts'

/** Where each is described, and what is. Clients that look at no other place come to the endpoint of assistants. */
const places = [
  [RESOURCE_METADATA, ASSISTANT_PATH],
  [RESOURCE_METADATA + ASSISTANT_PATH, ASSISTANT_PATH],
  [RESOURCE_METADATA + MCP_PATH, MCP_PATH],
] as const

/** What says to tool clients where they get a token, and for what (RFC 9728). */
export function serveResources(scope: FastifyInstance, { business, config }: OauthMeans) {
  for (const [url, path] of places) {
    scope.route({
      method: 'GET',
      url,
      ...guarded('oauth_resource', open('the same for everybody, and kept')),
      exposeHeadRoute: false,
      handler: async ({ headers: { host } }, reply) => {
        const issuer = issuerFor[path](policyOf(await business.get(), config), config)
        if (issuer === undefined) throw new ProtocolError('not_found', 'No access tokens are taken there.')
        return reply.header('cache-control', 'public, max-age=300').send({
          resource: publicOrigin(config, host) + path,
          authorization_servers: [issuer],
          scopes_supported: [ASSISTANT_SCOPE],
          bearer_methods_supported: ['header'],
          // The protocol's tools take a proof of another kind, in the message.
          ...(path === ASSISTANT_PATH && { dpop_signing_alg_values_supported: PROOF_ALGORITHMS }),
        })
      },
    })
    refuseOtherMethods(scope, url, ['GET'])
  }
}

/** Whose tokens are taken. */
const issuerFor = {
  [ASSISTANT_PATH]: ({ assistants }: Policy, { baseUrl }: Config) => (assistants ? baseUrl : undefined),
  [MCP_PATH]: ({ accepted, oauthIssuer }: Policy, { baseUrl }: Config) =>
    accepted.includes('oauth2_bearer') ? (oauthIssuer ?? baseUrl) : undefined,
}
