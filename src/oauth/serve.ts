import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Runtime } from '../runtime.ts'
import { countCall } from '../trust/check-rate.ts'
import { policyOf } from '../trust/mechanisms.ts'
import { paths } from './own-issuer.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const endpoints = [
  ['POST', paths.token, 'oauth_token'],
  ['POST', paths.revocation, 'oauth_revoke'],
  ['GET', paths.jwks, 'oauth_jwks'],
  ['GET', paths.metadata, 'oauth_metadata'],
] as const

/** The authorization server's endpoints. They are there while its tokens are accepted. */
export async function serveOauth(app: FastifyInstance, runtime: Runtime) {
  const load = loader(runtime)
  await app.register(async (scope) => {
    // The provider reads the body itself, and says itself which kinds it takes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.addHook('onRequest', () => refuseUnlessIssuing(runtime))
    for (const [method, url, operation] of endpoints) {
      scope.route({
        method,
        url,
        config: { operation },
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          if (method === 'POST') await countCall(runtime, 'other', `oauth ${request.ip}`)
          else reply.header('cache-control', 'public, max-age=300')
          return handOver(await load(), request, reply)
        },
      })
      refuseOtherMethods(scope, url, [method])
    }
  })
}

/** Loaded on first use: a server that accepts no tokens starts without it. */
function loader(runtime: Runtime): () => Promise<Answer> {
  let loaded: Promise<Answer> | undefined
  return () => {
    loaded ??= import('./provider.ts')
      .then(async ({ makeProvider }) => (await makeProvider(runtime)).callback())
      .catch((error) => {
        loaded = undefined
        throw error
      })
    return loaded
  }
}

async function refuseUnlessIssuing({ business, config }: Runtime) {
  const { accepted, oauthIssuer } = policyOf(await business.get(), config)
  if (!accepted.includes('oauth2_bearer') || oauthIssuer !== undefined)
    throw new ProtocolError('not_found', 'This server issues no access tokens.')
}

async function handOver(answer: Answer, { raw }: FastifyRequest, reply: FastifyReply) {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  // No hook sees this answer, so none could hang up when the server closes; and its callers come seldom.
  reply.raw.setHeader('connection', 'close')
  // Errors as JSON, also for who would take a page.
  raw.headers.accept = 'application/json'
  await answer(raw, reply.raw)
}
