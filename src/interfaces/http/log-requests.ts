import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
import { isProbe } from './health.ts'

declare module 'fastify' {
  interface FastifyRequest {
    isAnswered: boolean
  }
}

/** Logs one line for each answered request. The line contains names and numbers, but no content of the request. */
export function logRequests(app: FastifyInstance) {
  app.decorateRequest('isAnswered', false)
  app.addHook('onResponse', (request, reply, done) => {
    request.isAnswered = true
    request.log[levelOf(request, reply)](logFieldsOf(request, reply))
    done()
  })
}

/**
 * Health checks arrive every few seconds. Therefore the server logs successful health checks only at the level `debug`.
 */
const levelOf = (request: FastifyRequest, { statusCode }: FastifyReply) =>
  isProbe(request) && statusCode < 500 ? 'debug' : 'info'

/** Returns the log fields of one request. The field `status` exists only if the server has begun to send the answer. */
function logFieldsOf(request: FastifyRequest, reply: FastifyReply): object {
  const { method, operation, principal, signatureAgent: agent, correlationId, refusal } = request
  const { url: route } = request.routeOptions
  return {
    method,
    ...(operation !== 'other' && { operation }),
    ...(route !== undefined && { route }),
    ...(reply.raw.headersSent && { status: reply.statusCode }),
    ms: Math.round(reply.elapsedTime),
    ...(refusal && { refusal }),
    ...(principal && { principal }),
    ...(agent && { agent }),
    ...(correlationId && { correlationId }),
  }
}

/**
 * Whether the connection closed before the client got the complete answer. Event streams do not count, because they
 * usually end when the client leaves.
 */
export const isAborted = ({ isAnswered }: FastifyRequest, { raw }: FastifyReply): boolean =>
  !isAnswered && !String(raw.getHeader('content-type')).startsWith('text/event-stream')

/**
 * Logs and counts requests whose clients disconnected before the end of the answer. Fastify does not run the hook
 * `onResponse` for these requests. Therefore the histogram of response times does not include them.
 */
export function logAbortedRequests(
  app: FastifyInstance,
  { metrics: { aborted } }: { metrics: Pick<Metrics, 'aborted'> },
) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (!isAborted(request, reply)) return
      request.log.info({ ...logFieldsOf(request, reply), aborted: true })
      aborted.inc({ operation: request.operation })
    })
    done()
  })
}
