import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import { sendProblem } from '../bindings/problem.ts'
import type { Runtime } from '../runtime.ts'
import { countCall } from '../trust/check-rate.ts'
import { policyOf } from '../trust/mechanisms.ts'
import { publicSigningKeys } from '../trust/signing-keys.ts'
import { notSetUp } from './not-set-up.ts'
import { businessProfile } from './profile.ts'

const CACHE = 'public, max-age=300'

/** The business profile, and those of older protocol versions that are still served. */
export function serveProfile(app: FastifyInstance, runtime: Runtime) {
  const { db, business, config, operations, accessTokens } = runtime
  const counted = async ({ ip }: FastifyRequest, reply: FastifyReply) =>
    void reply.headers(await countCall(runtime, 'other', `profile ${ip}`))
  app.get('/.well-known/usp', { config: { operation: 'profile' }, preHandler: counted }, async (_, reply) => {
    const [definition, keys] = await Promise.all([business.get(), publicSigningKeys(db)])
    if (!definition) return sendProblem(reply, notSetUp())
    const { accepted, oauthIssuer } = policyOf(definition, config)
    const tokenEndpoint = accepted.includes('oauth2_bearer') ? await accessTokens.tokenEndpoint(oauthIssuer) : undefined
    return reply
      .header('cache-control', CACHE)
      .send(businessProfile(definition, keys, operations, config, tokenEndpoint))
  })

  refuseOtherMethods(app, '/.well-known/usp', ['GET'])
  app.get<{ Params: { version: string } }>(
    '/.well-known/usp-:version',
    { config: { operation: 'profile' }, preHandler: counted },
    async (request, reply) => {
      const older = (await business.get())?.supported_versions ?? {}
      const profile = Object.hasOwn(older, request.params.version) ? older[request.params.version] : undefined
      return profile ? reply.header('cache-control', CACHE).send(profile) : reply.callNotFound()
    },
  )
}
