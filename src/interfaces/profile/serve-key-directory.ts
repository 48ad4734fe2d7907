import type { FastifyInstance } from 'fastify'
import { botOf } from '../../core/egress/sign-as-bot.ts'
import { botDirectory, DIRECTORY_PATH, DIRECTORY_TYPE } from '../../core/keys/web-bot-auth.ts'
import type { CountingMeans } from '../../pipeline/check-rate.ts'
import type { Means } from '../../protocol/means.ts'
import { counted, guarded } from '../http/guards.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { forAnyOrigin } from '../http/other-origins.ts'

/** Short, because caches must soon drop a replaced key. */
const KEPT = 'public, max-age=3600'

/** Publishes the key that other hosts use to verify requests of this server. */
export function serveKeyDirectory(app: FastifyInstance, means: CountingMeans & Means<'config'>) {
  app.get(DIRECTORY_PATH, forAnyOrigin(guarded('profile', counted(means, 'profile'))), async (_, reply) => {
    const bot = botOf(means.config)
    if (!bot) return reply.callNotFound()
    const { body, headers } = botDirectory(new URL(bot.origin).host, bot.key, means.clock())
    return reply
      .headers({ ...headers, 'cache-control': KEPT })
      .type(DIRECTORY_TYPE)
      .send(Buffer.from(body))
  })
  refuseOtherMethods(app, DIRECTORY_PATH, ['GET'])
}
