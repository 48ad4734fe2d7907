import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
import { lineOf } from './log-requests.ts'

/** Of a request that is over: whether its answer was not sent whole. What goes on until its reader leaves has no other end. */
export const isAborted = ({ isAnswered }: FastifyRequest, { raw }: FastifyReply): boolean =>
  !isAnswered && !String(raw.getHeader('content-type')).startsWith('text/event-stream')

/**
 * Logs and counts the requests whose callers hung up, or were cut off: Fastify tells nobody of them. How long they took is
 * not put among the times of answers.
 */
export function tellOfAborted(app: FastifyInstance, { metrics: { aborted } }: { metrics: Pick<Metrics, 'aborted'> }) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (!isAborted(request, reply)) return
      request.log.info({ ...lineOf(request, reply), aborted: true })
      aborted.inc({ operation: request.operation })
    })
    done()
  })
}
