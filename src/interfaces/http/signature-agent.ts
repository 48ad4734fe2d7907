import type { FastifyInstance } from 'fastify'
import { signatureAgentOf } from '../../core/authentication/signature-agent.ts'
import type { KeyDirectories } from '../../core/profiles/key-directories.ts'
import { isShareUsed, letOthers } from '../../infra/util/long-work.ts'
import type { Means } from '../../protocol/means.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The host whose agent sent it, where that is signed; empty for everybody else. */
    signatureAgent: string
  }
}

/** Tells every door, and the log, whose agent is at the other end. */
export function recognizeAgents(
  app: FastifyInstance,
  means: Means<'config' | 'clock'> & { directories: KeyDirectories },
) {
  app.decorateRequest('signatureAgent', '')
  app.addHook('onRequest', async (request) => {
    const { headers, method, originalUrl: target, peer } = request
    if (headers['signature-agent'] === undefined) return
    // Nobody was counted yet, and hundreds may ask for this in one turn.
    if (isShareUsed()) await letOthers()
    request.signatureAgent =
      signatureAgentOf({ headers, peer, http: { method, target, body: Buffer.alloc(0) } }, means) ?? ''
  })
}
