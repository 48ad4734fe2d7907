import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendProblem } from '../bindings/problem.ts'
import { refuseOtherMethods } from '../bindings/rest.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Runtime } from '../runtime.ts'
import { publicSigningKeys } from '../trust/signing-keys.ts'
import { businessProfile } from './profile.ts'
import { businessDefinition } from './queries.ts'

const CACHE = 'public, max-age=300'

/** The business profile, and those of older protocol versions that are still served. */
export function serveProfile(app: FastifyInstance, { db, config, operations }: Runtime) {
  app.get('/.well-known/usp', { config: { operation: 'profile' } }, async (_, reply) => {
    const [definition, keys] = await Promise.all([businessDefinition(db), publicSigningKeys(db)])
    if (!definition) return notSetUp(reply)
    return reply.header('cache-control', CACHE).send(businessProfile(definition, keys, operations, config))
  })

  refuseOtherMethods(app, '/.well-known/usp', ['GET'])
  app.get<{ Params: { version: string } }>(
    '/.well-known/usp-:version',
    { config: { operation: 'profile' } },
    async (request, reply) => {
      const older = (await businessDefinition(db))?.supported_versions ?? {}
      const profile = Object.hasOwn(older, request.params.version) ? older[request.params.version] : undefined
      return profile ? reply.header('cache-control', CACHE).send(profile) : reply.callNotFound()
    },
  )
}

const notSetUp = (reply: FastifyReply) =>
  sendProblem(
    reply,
    new ProtocolError(
      'service_unavailable',
      'No business is set up on this server yet: run `npm run usp -- apply FILE`.',
      {
        retryAfter: 60,
      },
    ),
  )
