import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether all of the answer was sent. */
    isAnswered: boolean
  }
}

/** The line that the log keeps of every request that was answered: names and numbers, never content. */
export function logRequests(app: FastifyInstance) {
  app.decorateRequest('isAnswered', false)
  app.addHook('onResponse', (request, reply, done) => {
    request.isAnswered = true
    request.log.info(lineOf(request, reply))
    done()
  })
}

/** What it says. There is a status once an answer was begun. */
export function lineOf(request: FastifyRequest, reply: FastifyReply): object {
  const { method, operation, principal, signatureAgent: agent, correlationId, refusal } = request
  return {
    ...{ method, operation, ...(reply.raw.headersSent && { status: reply.statusCode }) },
    ms: Math.round(reply.elapsedTime),
    ...(refusal && { refusal }),
    ...(principal && { principal }),
    ...(agent && { agent }),
    ...(correlationId && { correlationId }),
  }
}
