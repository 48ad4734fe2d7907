import type { FastifyInstance } from 'fastify'
import { policyOf } from '../../core/authentication/authentication-policy.ts'
import { paths } from '../../core/tokens/own-issuer.ts'
import { assistantUpsert, newAssistantId } from '../../core/tokens/registered-assistants.ts'
import {
  InvalidClientMetadataError,
  MOST_METADATA_BYTES,
  parseMetadata,
  readClientMetadata,
} from '../../core/tokens/validate-client-metadata.ts'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { guarded, rateLimited, refuseOtherMethods } from '../http/route-guards.ts'
import type { OauthDependencies } from './serve.ts'

/**
 * Serves the registration (RFC 7591) of assistants that have no metadata document. Each assistant gets an id, but no
 * secret.
 */
export function serveRegistration(scope: FastifyInstance, dependencies: OauthDependencies) {
  const { db, business, config, clock } = dependencies
  const onRequest = async () => {
    if (!policyOf(await business.get(), config).assistants)
      throw new ProtocolError('not_found', 'This server does not serve assistants.')
  }
  scope.route({
    method: 'POST',
    url: paths.registration,
    ...allowAnyOrigin(guarded('oauth_register', rateLimited(dependencies, 'oauth'))),
    bodyLimit: MOST_METADATA_BYTES,
    onRequest,
    errorHandler: (error, request, reply) =>
      error instanceof InvalidClientMetadataError
        ? reply.code(400).send({ error: error.code, error_description: error.message })
        : scope.errorHandler(error, request, reply),
    handler: async ({ body, ip }, reply) => {
      const metadata = readClientMetadata(parseMetadata(Buffer.isBuffer(body) ? body : Buffer.alloc(0)))
      const id = newAssistantId()
      const now = clock()
      await assistantUpsert(db, { id, ...metadata, network: networkOf(ip) }, now)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send(registered(id, metadata, now))
    },
  })
  refuseOtherMethods(scope, paths.registration, ['POST'], { onRequest })
}

/**
 * Returns the answer to the registration of an assistant. It contains the metadata that the server uses, which can
 * differ from the request.
 */
const registered = (id: string, { name, redirect_uris }: ReturnType<typeof readClientMetadata>, now: Date) => ({
  client_id: id,
  client_id_issued_at: Math.floor(now.getTime() / 1000),
  client_name: name,
  redirect_uris,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
})
