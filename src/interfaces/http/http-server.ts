import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { FastifyBaseLogger } from 'fastify'
import type { TlsFiles } from '../../infra/config/tls-files.ts'
import { MINUTE } from '../../infra/time/units.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { boundTls } from './bound-tls.ts'
import { boundConnections, connectionLimit } from './connections.ts'
import { refuseTunnel } from './malformed-requests.ts'
import { serializeRequests } from './pipelining.ts'
import { renewTlsFiles } from './renew-tls.ts'
import { shareEventLoop } from './share-event-loop.ts'
import { tlsOptions } from './tls.ts'
import { routeUnknownMethods } from './unknown-methods.ts'

/** In milliseconds. The server closes slower connections: otherwise a few slow clients could occupy all of them. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Longer than a proxy keeps an idle connection. Otherwise a proxy would send a request on a closed connection.
  keepAliveTimeout: 72_000,
}
/** Milliseconds without any traffic in either direction, for example when a client does not read its answer. */
const STALLED_MS = MINUTE

/**
 * The Node server below Fastify. It uses TLS when a certificate is configured, and plaintext behind a proxy or in
 * development.
 */
export function httpServer(handler: RequestListener, { config, log }: Dependencies<'config' | 'log'>): Server {
  const { tls } = config
  const bounded = serializeRequests(routeUnknownMethods(handler))
  const turns = shareEventLoop()
  const options = { ...timeouts, IncomingMessage: turns.IncomingMessage }
  const server = tls ? secureServer(bounded, options, tls, log) : createServer(options, bounded)
  turns.among(server, tls ? 'secureConnection' : 'connection')
  boundConnections(server, connectionLimit(config))
  // A connection that the server cannot accept, for example at the file descriptor limit, must not end the process. Errors
  // before listening go to the caller that starts the server.
  server.once('listening', () =>
    server.on('error', (error) => log.warn({ err: error }, 'A connection could not be accepted.')),
  )
  return server.on('connect', refuseTunnel).setTimeout(STALLED_MS)
}

function secureServer(handler: RequestListener, http: ServerOptions, tls: TlsFiles, log: FastifyBaseLogger): Server {
  const options = tlsOptions(tls)
  const server = createSecureServer({ ...http, ...options }, handler)
  boundTls(server)
  renewTlsFiles(server, tls, options, log)
  return server
}
