import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics } from 'prom-client'
import { countFailureOf, refuseGuessing } from '../../limits/failed-attempts.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import { sameTag } from '../../protocol/tags.ts'
import { guarded } from './guards.ts'
import { refuseOtherMethods } from './other-methods.ts'
import { isFromThisMachine } from './this-machine.ts'

type MetricsMeans = Means<'db' | 'clock' | 'config' | 'business' | 'limits'> & { metrics: Metrics }

/** What a monitoring system reads: how busy the server is, and so the business. It is not for everybody. */
export function serveMetrics(app: FastifyInstance, means: MetricsMeans) {
  const { registry, requests } = means.metrics
  collectDefaultMetrics({ register: registry })
  app.addHook('onResponse', async ({ operation }, reply) =>
    requests.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000),
  )
  const token = { name: 'token', pass: (request: FastifyRequest) => refuseOthers(request, means) }
  app.get('/metrics', guarded('other', token), async (_, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  refuseOtherMethods(app, '/metrics', ['GET'])
}

/** Whether there is no token, none was sent or a wrong one: it is answered alike. */
async function refuseOthers(request: FastifyRequest, means: MetricsMeans): Promise<void> {
  const { mode, metricsToken } = means.config
  const { authorization } = request.headers
  if (metricsToken === undefined && mode === 'development' && isFromThisMachine(request)) return
  refuseGuessing(means, request.ip, means.clock())
  if (metricsToken !== undefined && sameTag(authorization ?? '', `Bearer ${metricsToken}`)) return
  if (authorization !== undefined) {
    const limits = (await means.business.get())?.limits
    await countFailureOf(request.ip, means, limits, means.clock())
  }
  throw new ProtocolError('authentication_required', 'Send the METRICS_TOKEN of this server as a bearer token.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}
