import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { handleErrors } from './http-errors.ts'
import { type MetricsMeans, serveMetrics } from './metrics.ts'

/** In milliseconds: who asks for so little has asked by then. */
const REQUEST_TIMEOUT = 10_000

/** The metrics at an address of their own, where nothing else is served: what stands in front of the rest never leads there. */
export function metricsServer(means: MetricsMeans): FastifyInstance {
  const app = fastify({
    ...{ loggerInstance: means.log, bodyLimit: 1, requestTimeout: REQUEST_TIMEOUT },
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
  })
  handleErrors(app)
  serveMetrics(app, means)
  return app
}
