import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { compile } from '@fastify/proxy-addr'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { KeyDirectories } from '../../core/profiles/bot-key-directories.ts'
import type { PoolUsages } from '../../infra/db/connection-pool-usage.ts'
import type { OpenDatabase } from '../../infra/db/database.ts'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { httpServer } from './create-node-http-server.ts'
import { drainBodies } from './drain-request-bodies.ts'
import { health, isProbe } from './health.ts'
import { boundBodies } from './limit-request-bodies.ts'
import { boundUnreadAnswers } from './limit-unread-answers.ts'
import { logAbortedRequests } from './log-requests.ts'
import { handleErrors } from './problem-details.ts'
import { recognizeAgents, recognizePeers } from './recognize-network-peer.ts'
import { refuseMalformed } from './refuse-malformed-requests.ts'
import { refuseUnreadableAddresses, routableUrl } from './refuse-unreadable-urls.ts'
import { refuseOverload } from './refuse-when-overloaded.ts'
import { applyRequestDefaults, trackOperation } from './request-defaults.ts'
import { countRequests, serveMetrics } from './serve-metrics.ts'
import { traceRequests } from './trace-requests.ts'

type HttpDependencies = Dependencies<'config' | 'log' | 'db' | 'clock' | 'clockFault' | 'business' | 'limits'> & {
  db: OpenDatabase
  metrics: Metrics
  pools: PoolUsages
  directories: KeyDirectories
}

const MEBIBYTE = 1024 * 1024

/**
 * Creates the HTTP server that all HTTP interfaces share. For each request, the server first finds the name of the
 * operation for the log. Then it refuses requests that it cannot answer. Finally, it reads the body, within limits.
 */
export async function createHttpApp(dependencies: HttpDependencies): Promise<FastifyInstance> {
  const { config } = dependencies
  const app = fastify({ ...serverOptions(dependencies), loggerInstance: dependencies.log })
  // Fastify keeps a JSON body as bytes and does not parse it. The interface that handles the request parses the body
  // later.
  app.removeContentTypeParser(['text/plain', 'application/json'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, body, done) =>
    isEncoded(headers) ? done(compressedBody()) : done(null, body),
  )
  handleErrors(app)
  await applyRequestDefaults(app)
  refuseUnreadableAddresses(app)
  trackOperation(app)
  traceRequests(app)
  logAbortedRequests(app, dependencies)
  refusePlaintext(app, dependencies)
  refuseOverload(app, dependencies)
  recognizePeers(app, dependencies)
  recognizeAgents(app, dependencies)
  boundBodies(app)
  boundUnreadAnswers(app)
  drainBodies(app)
  health(app, dependencies)
  countRequests(app, dependencies)
  if (config.metricsAddress === undefined) serveMetrics(app, dependencies)
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

function refuseSchema(): never {
  throw new Error('A route has no schema of its own. The pipeline checks the input and output of each operation.')
}

function serverOptions(dependencies: Dependencies<'config' | 'log'>): FastifyServerOptions {
  const { config } = dependencies
  return {
    serverFactory: (handler) => httpServer(handler, dependencies),
    bodyLimit: MEBIBYTE,
    // While the server stops, it still answers requests on open connections, because a load balancer would not send
    // these requests again.
    return503OnClosing: false,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: requestIds(dependencies),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    routerOptions: { maxParamLength: MEBIBYTE },
    // Without these functions, Fastify loads two compilers for schemas of routes at each start.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    clientErrorHandler: refuseMalformed,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
  }
}

/**
 * In production, refuses requests without https. If a trusted proxy states the protocol of its caller, this protocol
 * counts. Otherwise, a TLS connection to this server counts as https. The server does not redirect to https, because
 * callers would already have sent their credentials without encryption.
 */
function refusePlaintext(app: FastifyInstance, { config }: Dependencies<'config'>) {
  if (config.mode !== 'production') return
  app.addHook('onRequest', async (request) => {
    if (request.protocol !== 'https' && !isProbe(request))
      throw new ProtocolError('invalid_request', `Call ${config.baseUrl} over https.`)
  })
}

/** Matches a UUID with or without hyphens, because some proxies leave out the hyphens. */
const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i

/**
 * Returns a function that chooses the id of a request for the log and the answer. If a trusted proxy sent an id, the
 * function uses this id. The logs of the proxy and of the server then contain the same id.
 */
function requestIds({ config }: Dependencies<'config'>): (request: IncomingMessage) => string {
  const isTrusted = compile(config.trustProxy)
  return ({ headers: { 'x-request-id': requestId }, socket: { remoteAddress } }) =>
    typeof requestId === 'string' && UUID.test(requestId) && remoteAddress !== undefined && isTrusted(remoteAddress, 0)
      ? requestId
      : randomUUID()
}
