import type { FastifyInstance } from 'fastify'
import { botOf } from '../../core/egress/call-external-url.ts'
import { botDirectory, DIRECTORY_PATH, DIRECTORY_TYPE } from '../../core/keys/web-bot-auth.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { guarded, rateLimited, refuseOtherMethods } from '../http/route-guards.ts'

/**
 * Caches may store the public keys of this server for one hour. The time is short, because caches must soon discard a
 * replaced key.
 */
const CACHE_CONTROL = 'public, max-age=3600'

/**
 * Publishes the public key of this server (Web Bot Auth). Other hosts use this key to verify the requests that this
 * server sends.
 */
export function serveKeyDirectory(app: FastifyInstance, dependencies: CountingDependencies & Dependencies<'config'>) {
  app.get(
    DIRECTORY_PATH,
    allowAnyOrigin(guarded('profile', rateLimited(dependencies, 'profile'))),
    async (_, reply) => {
      const bot = botOf(dependencies.config)
      if (!bot) return reply.callNotFound()
      const { body, headers } = botDirectory(new URL(bot.origin).host, bot.key, dependencies.clock())
      return reply
        .headers({ ...headers, 'cache-control': CACHE_CONTROL })
        .type(DIRECTORY_TYPE)
        .send(Buffer.from(body))
    },
  )
  refuseOtherMethods(app, DIRECTORY_PATH, ['GET'])
}
