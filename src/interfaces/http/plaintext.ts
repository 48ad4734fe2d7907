import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isProbe } from './health.ts'

/**
 * In production the server refuses plaintext, unless a trusted proxy says that its caller used https. A TLS connection to
 * this server counts as https too, unless a trusted proxy says that its caller used none. The server refuses instead of
 * redirecting: with a redirect, the caller would send its credentials in plaintext first, on every call.
 */
export function refusePlaintext(app: FastifyInstance, { config }: Dependencies<'config'>) {
  if (config.mode !== 'production') return
  app.addHook('onRequest', async (request) => {
    if (request.protocol !== 'https' && !isProbe(request))
      throw new ProtocolError('invalid_request', `Call ${config.baseUrl} over https.`)
  })
}
