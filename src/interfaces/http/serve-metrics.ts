import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { collectDefaultMetrics } from 'prom-client'
import { countFailureOf, refuseGuessing } from '../../core/limits/failed-authentication-limit.ts'
import { databaseGauges } from '../../domain/metrics/read-database-gauges.ts'
import type { PoolUsages } from '../../infra/db/connection-pool-usage.ts'
import type { OpenDatabase } from '../../infra/db/database.ts'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isEqualInConstantTime } from '../../protocol/keyed-digest.ts'
import { isProbe } from './health.ts'
import { handleErrors } from './problem-details.ts'
import { isFromThisMachine } from './recognize-network-peer.ts'
import { guarded, refuseOtherMethods } from './route-guards.ts'

type MetricsDependencies = Dependencies<'clock' | 'config' | 'business' | 'limits' | 'log'> & {
  db: OpenDatabase
  metrics: Metrics
  pools: PoolUsages
}

/**
 * Records the response time of each call, and the codes of refusals, for the metrics. Ignores health checks and
 * requests for metrics.
 */
export function countRequests(app: FastifyInstance, { metrics: { requests, refusals } }: { metrics: Metrics }) {
  app.addHook('onResponse', (request, reply, done) => {
    if (isProbe(request)) return done()
    const { operation, refusal: code } = request
    requests.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (code) refusals.inc({ operation, code })
    done()
  })
}

/** Serves the metrics to a monitoring system. The metrics are secret, because they show how busy the business is. */
export function serveMetrics(app: FastifyInstance, dependencies: MetricsDependencies) {
  const { registry } = dependencies.metrics
  collectDefaultMetrics({ register: registry })
  const readGauges = databaseGauges(registry, dependencies)
  const token = { name: 'token', pass: (request: FastifyRequest) => refuseOthers(request, dependencies) }
  app.get('/metrics', guarded('other', token), async (_, reply) => {
    await readGauges()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  refuseOtherMethods(app, '/metrics', ['GET'])
}

/**
 * Refuses a request for metrics without the right token. The refusal is the same for a wrong token, a missing token,
 * and a server without a configured token. Without a configured token, the server can still accept requests from its
 * own machine.
 */
async function refuseOthers(request: FastifyRequest, dependencies: MetricsDependencies): Promise<void> {
  const { mode, metricsAddress, metricsToken } = dependencies.config
  const { authorization } = request.headers
  const isForThisMachine = metricsAddress !== undefined || mode === 'development'
  if (metricsToken === undefined && isForThisMachine && isFromThisMachine(request)) return
  await refuseGuessing(dependencies, request.ip, dependencies.clock())
  if (metricsToken !== undefined && isEqualInConstantTime(authorization ?? '', `Bearer ${metricsToken}`)) return
  if (authorization !== undefined) {
    const limits = (await dependencies.business.get())?.limits
    await countFailureOf(request.ip, dependencies, limits, dependencies.clock())
  }
  throw new ProtocolError('authentication_required', 'Send the METRICS_TOKEN of this server as a bearer token.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/**
 * The maximum time in which a request for metrics must arrive, in milliseconds. An honest request is small and needs
 * less time.
 */
const REQUEST_TIMEOUT_MS = 10_000

/**
 * Creates a server that serves only the metrics, at a separate address (host and port). The reverse proxy of the public
 * server does not forward requests to this address.
 */
export function metricsServer(dependencies: MetricsDependencies): FastifyInstance {
  const app = fastify({
    loggerInstance: dependencies.log,
    bodyLimit: 1,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
  })
  handleErrors(app)
  serveMetrics(app, dependencies)
  return app
}
