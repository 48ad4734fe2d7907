import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics } from 'prom-client'
import { ProtocolError } from '../protocol/errors.ts'
import type { Runtime } from '../runtime.ts'
import { sendProblem } from './problem.ts'

/** Asked from beside the server, in plaintext and under any load. It tells nothing about the business. */
export const isProbe = ({ routeOptions: { url = '' } }: FastifyRequest) =>
  ['/healthz', '/readyz', '/metrics'].includes(url)

/** What an orchestrator and a monitoring system ask. */
export function health(app: FastifyInstance, { db, metrics: { registry, requests } }: Runtime) {
  collectDefaultMetrics({ register: registry })
  app.addHook('onResponse', async ({ operation }, reply) =>
    requests.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000),
  )
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const ready = await sql`select 1`.execute(db).then(Boolean, () => false)
    if (ready) return { status: 'ready' }
    return sendProblem(reply, new ProtocolError('service_unavailable', 'The database does not answer.'))
  })
  app.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}
