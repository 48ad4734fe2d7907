import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
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
 * Whether a finished request did not get its complete answer. Event streams do not count: they normally end when the client
 * leaves.
 */
export const isAborted = ({ isAnswered }: FastifyRequest, { raw }: FastifyReply): boolean =>
  !isAnswered && !String(raw.getHeader('content-type')).startsWith('text/event-stream')

/**
 * Logs and counts aborted requests, because Fastify's onResponse hook does not run for them. Their duration is not recorded
 * in the histogram of response times.
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
