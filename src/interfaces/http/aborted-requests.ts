import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
import { logFieldsOf } from './log-requests.ts'

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
