import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasAccounts, issuesTokens, policyOf } from '../../core/authentication/authentication-policy.ts'
import type { CallerFetchLimits } from '../../core/limits/limit-fetches-for-callers.ts'
import { paths } from '../../core/tokens/own-issuer.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { guarded, rateLimited, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'
import { withoutCookie } from '../pages/cookies.ts'
import type { Authority } from './load-authorization-server.ts'
import { clientResolver, type ResolveClient } from './resolve-client-id.ts'
import { serveRegistration } from './serve-client-registration.ts'
import { serveResources } from './serve-resource-metadata.ts'

export type OauthDependencies = CountingDependencies & Dependencies<'config'> & { fetches: CallerFetchLimits }

/**
 * The kind of an OAuth endpoint. Clients send requests to a `call`. A `document` is public. A `passage` redirects the
 * browser of a buyer to another page.
 */
type Kind = 'call' | 'document' | 'passage'

const endpoints: readonly [Kind, url: string, operation: string][] = [
  ['call', paths.token, 'oauth_token'],
  ['call', paths.revocation, 'oauth_revoke'],
  ['document', paths.jwks, 'oauth_jwks'],
  ['document', paths.metadata, 'oauth_metadata'],
]

const ofAccounts: typeof endpoints = [
  ['document', paths.openid, 'oauth_metadata'],
  ['passage', paths.authorization, 'oauth_authorize'],
  ['passage', `${paths.authorization}/:uid`, 'oauth_authorize'],
]

const MOST_BYTES = 56 * 1024

/**
 * Serves the endpoints of the OAuth authorization server. The endpoints for tokens exist only if the server issues
 * tokens. The endpoints for buyers exist only if buyers have accounts.
 */
export function serveOauth(scope: FastifyInstance, dependencies: OauthDependencies, authority: Authority) {
  // Fastify reads the body, and the OAuth library checks its content type later. If the library read the body, a slow
  // upload would count as a call in progress.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_, body, done) => done(null, body))
  const served = { scope, dependencies, authority, settleClient: clientResolver(dependencies) }
  for (const endpoint of endpoints) serveEndpoint(endpoint, refuseUnlessIssuing, served)
  for (const endpoint of ofAccounts) serveEndpoint(endpoint, refuseWithoutAccounts, served)
  serveRegistration(scope, dependencies)
  serveResources(scope, dependencies)
}

interface Served {
  scope: FastifyInstance
  dependencies: OauthDependencies
  authority: Authority
  settleClient: ResolveClient
}

function serveEndpoint(
  [kind, url, operation]: (typeof endpoints)[number],
  refuse: (dependencies: OauthDependencies) => Promise<void>,
  { scope, dependencies, authority, settleClient }: Served,
) {
  const method = kind === 'call' ? 'POST' : 'GET'
  const onRequest = () => refuse(dependencies)
  scope.route({
    method,
    url,
    ...(kind === 'passage'
      ? guardsOf(kind, operation, dependencies)
      : allowAnyOrigin(guardsOf(kind, operation, dependencies))),
    exposeHeadRoute: false,
    onRequest,
    errorHandler: (error, request, reply) =>
      error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
        ? reply.code(400).send({ error: 'invalid_request', error_description: 'the request body is too large' })
        : scope.errorHandler(error, request, reply),
    handler: async (request, reply) => {
      if (kind === 'document') reply.header('cache-control', 'public, max-age=300')
      if (kind === 'passage') {
        prepareBrowserRequest(request, reply)
        const failed = await settleClient(request)
        if (failed) return reply.code(failed.status).headers(failed.headers).send(failed.body)
      }
      // With this header, the OAuth library returns errors as JSON, even to clients that prefer HTML.
      else request.raw.headers.accept = 'application/json'
      return passToProvider(await authority(), request, reply)
    },
  })
  refuseOtherMethods(scope, url, [method], { onRequest })
}

const guardsOf = (kind: string, operation: string, dependencies: OauthDependencies) =>
  guarded(
    operation,
    kind === 'document' ? withoutGuard('the same for everybody, and kept') : rateLimited(dependencies, 'oauth'),
  )

async function refuseUnlessIssuing({ business, config }: Dependencies<'business' | 'config'>) {
  const policy = policyOf(await business.get(), config)
  if (!issuesTokens(policy) && !policy.assistants)
    throw new ProtocolError('not_found', 'This server issues no access tokens.')
}

export async function refuseWithoutAccounts({ business, config }: Dependencies<'business' | 'config'>) {
  if (!hasAccounts(policyOf(await business.get(), config)))
    throw new ProtocolError('not_found', 'This server has no accounts for buyers.')
}

const MOST_PARAMETERS = 100

/**
 * The session cookie of the OAuth library oidc-provider. The server removes this cookie from requests, because the
 * library must not remember a sign-in.
 */
export const SESSION_COOKIE = 'usp_link_session'

function prepareBrowserRequest({ raw }: FastifyRequest, reply: FastifyReply) {
  // The OAuth library compares each request parameter with all others. The computing time grows with the square of the
  // number of parameters, so the server limits this number.
  if (raw.url && raw.url.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS)
    throw new ProtocolError('invalid_request', `The address may have at most ${MOST_PARAMETERS} parameters.`)
  // The OAuth library stores the request in PostgreSQL, which rejects NUL characters. Therefore the server refuses such
  // a request here.
  if (raw.url?.includes('%00')) throw new ProtocolError('invalid_request', 'The address contains a NUL character.')
  raw.headers.cookie = withoutCookie(raw.headers.cookie, SESSION_COOKIE)
  reply.header('referrer-policy', 'no-referrer')
}

async function passToProvider(
  { answer }: Awaited<ReturnType<Authority>>,
  { raw, body }: FastifyRequest,
  reply: FastifyReply,
) {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  // Fastify hooks do not see the responses of the OAuth library, so no hook can close the connection when the server
  // stops. These responses are rare. Therefore the server closes the connection after each of them.
  reply.raw.setHeader('connection', 'close')
  await answer(Object.assign(raw, { body }), reply.raw)
}
