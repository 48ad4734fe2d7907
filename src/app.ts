import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { serveDocuments } from './bindings/documents.ts'
import { health } from './bindings/health.ts'
import { httpBasics } from './bindings/http-basics.ts'
import { handleErrors } from './bindings/http-errors.ts'
import { mcpBinding } from './bindings/mcp.ts'
import { mcpOverHttp } from './bindings/mcp-http.ts'
import { refusePlaintext } from './bindings/plaintext.ts'
import { restBinding } from './bindings/rest.ts'
import { refuseUndecodable, routableUrl } from './bindings/undecodable.ts'
import { refuseUnreadable } from './bindings/unreadable.ts'
import { serveProfile } from './business/serve-profile.ts'
import { serveStructuredData } from './catalog/structured-data.ts'
import type { Runtime } from './runtime.ts'

const MEBIBYTE = 1024 * 1024

/** The whole server without a port. */
export async function buildApp(runtime: Runtime): Promise<FastifyInstance> {
  const { operations } = runtime
  const app = fastify({ ...serverOptions(runtime), loggerInstance: runtime.log })
  app.removeContentTypeParser(['text/plain', 'application/json'])
  handleErrors(app)
  await httpBasics(app)
  refusePlaintext(app, runtime)
  refuseUndecodable(app)
  health(app, runtime)
  restBinding(app, runtime)
  mcpOverHttp(app, mcpBinding(runtime), runtime)
  serveProfile(app, runtime)
  serveStructuredData(app, runtime)
  await serveDocuments(app, operations)
  return app
}

function serverOptions({ config }: Runtime): FastifyServerOptions {
  return {
    bodyLimit: MEBIBYTE,
    requestTimeout: 30_000,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    routerOptions: { maxParamLength: MEBIBYTE },
    clientErrorHandler: refuseUnreadable,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
  }
}
