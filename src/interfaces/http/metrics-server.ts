import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { handleErrors } from './http-errors.ts'
import { type MetricsDependencies, serveMetrics } from './metrics.ts'

/** Milliseconds. A metrics request is small and arrives in less time. */
const REQUEST_TIMEOUT_MS = 10_000

/** Serves only the metrics, at a separate address. The reverse proxy of the public server does not route to it. */
export function metricsServer(means: MetricsDependencies): FastifyInstance {
  const app = fastify({
    ...{ loggerInstance: means.log, bodyLimit: 1, requestTimeout: REQUEST_TIMEOUT_MS },
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
  })
  handleErrors(app)
  serveMetrics(app, means)
  return app
}
