import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findDatabaseFault } from '../../infra/db/check-database-readiness.ts'
import type { OpenDatabase } from '../../infra/db/database.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { sendProblem } from './problem-details.ts'
import { guarded, refuseOtherMethods, withoutGuard } from './route-guards.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Whether the server will stop soon. Until then, the server still answers calls, but health checks get the status
     * 503. Therefore the load balancer sends no new calls.
     */
    isDraining: boolean
  }
}

/**
 * Whether the request is a health check or a request for metrics. These requests come from inside the deployment, so
 * the server answers them even without TLS and under overload.
 */
export const isProbe = ({ routeOptions: { url = '' } }: FastifyRequest) =>
  ['/healthz', '/readyz', '/metrics'].includes(url)

const READY_TIMEOUT_MS = 2_000

const probe = guarded('other', withoutGuard('probes are answered under any load'))

export function health(app: FastifyInstance, { db, clockFault }: Dependencies<'clockFault'> & { db: OpenDatabase }) {
  const checkWithTimeout = sharedCheck()
  app.decorate('isDraining', false)
  app.get('/healthz', probe, async (_, reply) => (app.isDraining ? sendProblem(reply, stopping()) : { status: 'ok' }))
  app.get('/readyz', probe, async (_, reply) => {
    if (app.isDraining) return sendProblem(reply, stopping())
    const fault = clockFault() ?? (await checkWithTimeout(() => findDatabaseFault(db)))
    if (fault === undefined) return { status: 'ready' }
    return sendProblem(reply, new ProtocolError('service_unavailable', fault))
  })
  for (const path of ['/healthz', '/readyz']) refuseOtherMethods(app, path, ['GET'])
}

const stopping = () => new ProtocolError('service_unavailable', 'This server is shutting down.')

/**
 * Runs the query of a health check. Concurrent health checks share one query. Otherwise, more and more queries would
 * wait while the database does not answer.
 */
function sharedCheck() {
  let pending: Promise<string | undefined> | undefined
  return (ask: () => Promise<string | undefined>) => {
    pending ??= ask().finally(() => {
      pending = undefined
    })
    const late = setTimeout(READY_TIMEOUT_MS, 'The database does not answer in time.', { ref: false })
    return Promise.race([pending, late])
  }
}
