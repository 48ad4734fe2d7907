import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isProbe } from './health.ts'

declare module 'fastify' {
  interface FastifyRequest {
    isAnswered: boolean
  }
}

/** Logs one line for each answered request: names and numbers, never content. */
export function logRequests(app: FastifyInstance) {
  app.decorateRequest('isAnswered', false)
  app.addHook('onResponse', (request, reply, done) => {
    request.isAnswered = true
    request.log[levelOf(request, reply)](logFieldsOf(request, reply))
    done()
  })
}

/** Probes come every few seconds, so only a failing probe gets a line at level info. */
const levelOf = (request: FastifyRequest, { statusCode }: FastifyReply) =>
  isProbe(request) && statusCode < 500 ? 'debug' : 'info'

/** The fields of a log line. The status is present once the answer has begun. */
export function logFieldsOf(request: FastifyRequest, reply: FastifyReply): object {
  const { method, operation, principal, signatureAgent: agent, correlationId, refusal } = request
  const { url: route } = request.routeOptions
  return {
    ...{ method, ...(operation !== 'other' && { operation }), ...(route !== undefined && { route }) },
    ...(reply.raw.headersSent && { status: reply.statusCode }),
    ms: Math.round(reply.elapsedTime),
    ...(refusal && { refusal }),
    ...(principal && { principal }),
    ...(agent && { agent }),
    ...(correlationId && { correlationId }),
  }
}
