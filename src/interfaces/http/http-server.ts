import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { TlsFiles } from '../../infra/config/tls-files.ts'
import { MINUTE } from '../../infra/time/units.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { boundConnections, connectionLimit } from './connections.ts'
import { refuseTunnel } from './malformed-requests.ts'
import { renewTlsFiles } from './renew-tls.ts'
import { shareEventLoop } from './share-event-loop.ts'
import { boundTls, tlsOptions } from './tls.ts'

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

const routed = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Node accepts about thirty more methods, such as QUERY and PROPFIND, and this server supports none of them. They are
 * routed as TRACE, which no route supports: each path then answers 405 and lists its allowed methods, without one route for
 * each method.
 */
const routeUnknownMethods =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    if (!routed.has(request.method ?? '')) request.method = 'TRACE'
    handler(request, response)
  }

/** Requests on one connection that have no answer yet. */
const MOST_AT_ONCE = 16

/**
 * Handles the requests of one connection one after the other. Node parses all requests in one received chunk at once, and a
 * chunk can hold a thousand. Without this, all of them would run before other connections get a turn, and all answers would
 * stay in memory. The next request starts in a later turn of the event loop, after the answer before it was sent. Few
 * clients send a second request earlier. The server closes a connection with too many waiting requests.
 */
export function serializeRequests(handler: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, (() => void)[]>()
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // The client left before the server accepted the connection. There is no address to count, and no client to read an
    // answer.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const queue = unanswered.get(socket) ?? []
    unanswered.set(socket, queue)
    queue.push(() => handler(request, response))
    if (queue.length > MOST_AT_ONCE) return void socket.destroy()
    // The server may answer a refused request while Node still parses the same chunk. The next request still waits for its
    // own turn.
    const next = () => {
      queue.shift()
      if (!socket.destroyed) queue[0]?.()
    }
    response.once('close', () => setImmediate(next))
    if (queue.length === 1) queue[0]?.()
  }
}
