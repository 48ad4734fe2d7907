import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { ProtocolError } from '../protocol/errors.ts'
import type { Runtime } from '../runtime.ts'
import { sendProblem } from './problem.ts'

/** Asked from beside the server, in plaintext and under any load. It tells nothing about the business. */
export const isProbe = ({ routeOptions: { url = '' } }: FastifyRequest) =>
  ['/healthz', '/readyz', '/metrics'].includes(url)

/** What an orchestrator and a monitoring system ask. */
export function health(app: FastifyInstance, { db }: Runtime) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'usp_request_seconds',
    help: 'Time to answer, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  app.addHook('onResponse', async ({ operation }, reply) =>
    durations.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000),
  )
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const ready = await sql`select 1`.execute(db).then(Boolean, () => false)
    if (ready) return { status: 'ready' }
    return sendProblem(reply, new ProtocolError('service_unavailable', 'The database does not answer.'))
  })
  app.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}
