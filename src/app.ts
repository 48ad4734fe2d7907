import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { serveBookingCalendar } from './doors/calendars/serve-booking.ts'
import { serveCalendarFeeds } from './doors/calendars/serve-feed.ts'
import { serveDocuments } from './doors/docs/documents.ts'
import { boundBodies } from './doors/http/bodies.ts'
import { drainBodies } from './doors/http/drain-bodies.ts'
import { refuseEscapedPaths } from './doors/http/escaped-paths.ts'
import { health } from './doors/http/health.ts'
import { httpBasics } from './doors/http/http-basics.ts'
import { handleErrors } from './doors/http/http-errors.ts'
import { httpServer } from './doors/http/http-server.ts'
import { refuseInvalidUrl, routableUrl } from './doors/http/invalid-url.ts'
import { refuseMalformed } from './doors/http/malformed-requests.ts'
import { serveMetrics } from './doors/http/metrics.ts'
import { runNamed } from './doors/http/name-work.ts'
import { refuseOverload } from './doors/http/overload.ts'
import { recognizePeers } from './doors/http/peer.ts'
import { refusePlaintext } from './doors/http/plaintext.ts'
import { mcpBinding } from './doors/mcp/mcp.ts'
import { mcpOverHttp } from './doors/mcp/mcp-http.ts'
import { authority } from './doors/oauth/authority.ts'
import { serveOauth } from './doors/oauth/serve.ts'
import { serveAccount } from './doors/oauth/serve-account.ts'
import { serveLink } from './doors/oauth/serve-link.ts'
import { servePages } from './doors/pages/serve.ts'
import { serveProfile } from './doors/profile/serve-profile.ts'
import { serveNotices } from './doors/registry/serve-notices.ts'
import { servePlatformProfile } from './doors/registry/serve-platform-profile.ts'
import { restBinding } from './doors/rest/rest.ts'
import { serveStripe } from './doors/stripe/serve.ts'
import { serveStructuredData } from './doors/structured-data/serve.ts'
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
  runNamed(app)
  refusePlaintext(app, runtime)
  refuseOverload(app, runtime)
  recognizePeers(app, runtime)
  refuseInvalidUrl(app)
  boundBodies(app)
  drainBodies(app)
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
    clientErrorHandler: refuseMalformed,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
  }
}
