import type { FastifyInstance } from 'fastify'
import { ProtocolError } from '../protocol/errors.ts'
import type { Runtime } from '../runtime.ts'

/** What an orchestrator asks from beside the server, without TLS. It tells nothing about the business. */
const PROBES = ['/healthz', '/readyz', '/metrics']

/**
 * In production nothing is answered in plaintext, unless a trusted proxy says that its own caller came by https. It is
 * refused, never redirected: a redirect would let the caller send its credentials in the clear first, again and again.
 */
export function refusePlaintext(app: FastifyInstance, { config }: Runtime) {
  if (config.mode !== 'production') return
  app.addHook('onRequest', async (request) => {
    if (request.protocol !== 'https' && !PROBES.includes(request.routeOptions.url ?? ''))
      throw new ProtocolError('invalid_request', `Call ${config.baseUrl} over https.`)
  })
}
