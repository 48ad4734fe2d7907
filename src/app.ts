import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { boundBodies } from './bindings/bodies.ts'
import { serveDocuments } from './bindings/documents.ts'
import { refuseEscapedPaths } from './bindings/escaped-paths.ts'
import { health } from './bindings/health.ts'
import { httpBasics } from './bindings/http-basics.ts'
import { handleErrors } from './bindings/http-errors.ts'
import { httpServer } from './bindings/http-server.ts'
import { mcpBinding } from './bindings/mcp.ts'
import { mcpOverHttp } from './bindings/mcp-http.ts'
import { serveMetrics } from './bindings/metrics.ts'
import { nameWork } from './bindings/name-work.ts'
import { refuseOverload } from './bindings/overload.ts'
import { recognizePeers } from './bindings/peer.ts'
import { refusePlaintext } from './bindings/plaintext.ts'
import { readOn } from './bindings/read-on.ts'
import { restBinding } from './bindings/rest.ts'
import { refuseUnreadable } from './bindings/unreadable.ts'
import { refuseUnroutable, routableUrl } from './bindings/unroutable.ts'
import { serveProfile } from './business/serve-profile.ts'
import { serveBookingCalendar } from './calendar/serve-booking.ts'
import { serveCalendarFeeds } from './calendar/serve-feed.ts'
import { serveStructuredData } from './catalog/structured-data.ts'
import { authority } from './oauth/authority.ts'
import { serveOauth } from './oauth/serve.ts'
import { servePages } from './pages/serve.ts'
import { serveAccount } from './pages/serve-account.ts'
import { serveLink } from './pages/serve-link.ts'
import { serveStripe } from './payments/serve-stripe.ts'
import { serveNotices } from './registry/serve-notices.ts'
import { servePlatformProfile } from './registry/serve-platform-profile.ts'
import type { Runtime } from './runtime.ts'

const MEBIBYTE = 1024 * 1024

/** The whole server without a port. */
export async function buildApp(runtime: Runtime): Promise<FastifyInstance> {
  const { operations } = runtime
  const app = fastify({ ...serverOptions(runtime), loggerInstance: runtime.log })
  app.removeContentTypeParser(['text/plain', 'application/json'])
  handleErrors(app)
  await httpBasics(app)
  refuseEscapedPaths(app)
  nameWork(app)
  refusePlaintext(app, runtime)
  refuseOverload(app, runtime)
  recognizePeers(app, runtime)
  refuseUnroutable(app)
  boundBodies(app)
  readOn(app)
  health(app, runtime)
  serveMetrics(app, runtime)
  restBinding(app, runtime)
  mcpOverHttp(app, mcpBinding(runtime), runtime)
  serveProfile(app, runtime)
  serveStructuredData(app, runtime)
  serveBookingCalendar(app, runtime)
  serveCalendarFeeds(app, runtime)
  servePages(app, runtime)
  const tokens = authority(runtime)
  serveLink(app, runtime, tokens)
  serveAccount(app, runtime)
  serveStripe(app, runtime)
  servePlatformProfile(app, runtime)
  serveNotices(app, runtime)
  await serveOauth(app, runtime, tokens)
  await serveDocuments(app, operations)
  return app
}

function serverOptions(runtime: Runtime): FastifyServerOptions {
  const { config } = runtime
  return {
    serverFactory: (handler) => httpServer(handler, runtime),
    bodyLimit: MEBIBYTE,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    routerOptions: { maxParamLength: MEBIBYTE },
    clientErrorHandler: refuseUnreadable,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
  }
}
