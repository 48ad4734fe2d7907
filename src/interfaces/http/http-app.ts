import type { IncomingHttpHeaders } from 'node:http'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { KeyDirectories } from '../../core/profiles/key-directories.ts'
import type { OpenDatabase } from '../../infra/db/database.ts'
import type { PoolUsages } from '../../infra/db/pool-usage.ts'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { logAbortedRequests } from './aborted-requests.ts'
import { drainBodies } from './drain-bodies.ts'
import { health } from './health.ts'
import { handleErrors } from './http-errors.ts'
import { httpServer } from './http-server.ts'
import { refuseMalformed } from './malformed-requests.ts'
import { countRequests, serveMetrics } from './metrics.ts'
import { refuseOverload } from './overload.ts'
import { recognizePeers } from './peer.ts'
import { refusePlaintext } from './plaintext.ts'
import { refuseUnreadableAddresses, routableUrl } from './readable-addresses.ts'
import { boundBodies } from './request-bodies.ts'
import { applyRequestDefaults } from './request-defaults.ts'
import { requestIds } from './request-id.ts'
import { recognizeAgents } from './signature-agent.ts'
import { traceRequests } from './trace-requests.ts'
import { trackOperation } from './track-operation.ts'
import { boundUnreadAnswers } from './unread-answers.ts'

type HttpDependencies = Dependencies<'config' | 'log' | 'db' | 'clock' | 'clockFault' | 'business' | 'limits'> & {
  db: OpenDatabase
  metrics: Metrics
  pools: PoolUsages
  directories: KeyDirectories
}

const MEBIBYTE = 1024 * 1024

/**
 * The HTTP server that all HTTP interfaces share. Each request passes these stages in order. First the server assigns its
 * name, for the log and the event loop monitor. Then it refuses requests that it cannot answer. Then it reads the body,
 * within limits.
 */
export async function createHttpApp(means: HttpDependencies): Promise<FastifyInstance> {
  const { config } = means
  const app = fastify({ ...serverOptions(means), loggerInstance: means.log })
  // A body stays a buffer until an interface parses it.
  app.removeContentTypeParser(['text/plain', 'application/json'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, body, done) =>
    isEncoded(headers) ? done(compressedBody()) : done(null, body),
  )
  handleErrors(app)
  await applyRequestDefaults(app)
  refuseUnreadableAddresses(app)
  trackOperation(app)
  traceRequests(app)
  logAbortedRequests(app, means)
  refusePlaintext(app, means)
  refuseOverload(app, means)
  recognizePeers(app, means)
  recognizeAgents(app, means)
  boundBodies(app)
  boundUnreadAnswers(app)
  drainBodies(app)
  health(app, means)
  countRequests(app, means)
  if (config.metricsAddress === undefined) serveMetrics(app, means)
  return app
}

const isEncoded = ({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders) =>
  encoding.trim().toLowerCase() !== 'identity'

const compressedBody = () =>
  new ProtocolError(
    'unsupported_media_type',
    'Send the body without Content-Encoding: the server does not accept compressed bodies.',
    {
      headers: { 'accept-encoding': 'identity' },
    },
  )

function serverOptions(means: Dependencies<'config' | 'log'>): FastifyServerOptions {
  const { config } = means
  return {
    serverFactory: (handler) => httpServer(handler, means),
    bodyLimit: MEBIBYTE,
    // While closing, the server still answers requests on accepted connections: a load balancer would not retry them.
    return503OnClosing: false,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: requestIds(means),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    routerOptions: { maxParamLength: MEBIBYTE },
    clientErrorHandler: refuseMalformed,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
  }
}
