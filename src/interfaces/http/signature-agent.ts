import type { FastifyInstance } from 'fastify'
import { signatureAgentOf } from '../../core/authentication/signature-agent.ts'
import type { KeyDirectories } from '../../core/profiles/key-directories.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/time-slice.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The host of the agent that signed the request (Web Bot Auth); empty when there is no such signature. */
    signatureAgent: string
  }
}

/** Sets `request.signatureAgent` for all interfaces and the log. */
export function recognizeAgents(
  app: FastifyInstance,
  means: Dependencies<'config' | 'clock'> & { directories: KeyDirectories },
) {
  app.decorateRequest('signatureAgent', '')
  app.addHook('onRequest', async (request) => {
    const { headers, method, originalUrl: target, peer } = request
    if (headers['signature-agent'] === undefined) return
    // No rate limit has run yet, and hundreds of requests may need this check in one turn.
    if (isTimeSliceUsed()) await yieldToEventLoop()
    request.signatureAgent =
      signatureAgentOf({ headers, peer, http: { method, target, body: Buffer.alloc(0) } }, means) ?? ''
  })
}
