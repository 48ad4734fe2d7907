import type { FastifyInstance } from 'fastify'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import { isProbe } from './health.ts'

/**
 * In production nothing is answered in plaintext, unless a trusted proxy says that its own caller came by https. TLS
 * that this server speaks itself is https too, but not where a trusted proxy says that its caller used none. It is
 * refused, never redirected: a redirect would let the caller send its credentials in the clear first, again and again.
 */
export function refusePlaintext(app: FastifyInstance, { config }: Means<'config'>) {
  if (config.mode !== 'production') return
  app.addHook('onRequest', async (request) => {
    if (request.protocol !== 'https' && !isProbe(request))
      throw new ProtocolError('invalid_request', `Call ${config.baseUrl} over https.`)
  })
}
