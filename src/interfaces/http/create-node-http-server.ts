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
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { shareEventLoop } from './limit-body-chunks-per-turn.ts'
import { boundConnections, connectionLimit } from './limit-connections.ts'
import { refuseTunnel } from './refuse-malformed-requests.ts'
import { renewTlsFiles } from './reload-tls-files.ts'
import { boundTls, tlsOptions } from './tls.ts'

/**
 * Time limits for clients in milliseconds. The server closes slower connections. Otherwise, a few slow clients could
 * occupy all connections.
 */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // The server keeps an idle connection open longer than proxies do. Otherwise, a proxy could send a request on a
  // connection that the server has just closed.
  keepAliveTimeout: 72_000,
}
/**
 * The server closes a connection after this number of milliseconds without traffic in either direction. For example,
 * the client may have stopped reading its answer.
 */
const STALLED_MS = MINUTE

/**
 * Creates the Node HTTP server on which Fastify runs. It uses TLS if a certificate is configured. Otherwise, it uses
 * plain HTTP, for example behind a proxy.
 */
export function httpServer(handler: RequestListener, { config, log }: Dependencies<'config' | 'log'>): Server {
  const { tls } = config
  const bounded = serializeRequests(routeUnknownMethods(handler))
  const turns = shareEventLoop()
  const options = { ...timeouts, IncomingMessage: turns.IncomingMessage }
  const server = tls ? secureServer(bounded, options, tls, log) : createServer(options, bounded)
  turns.among(server, tls ? 'secureConnection' : 'connection')
  boundConnections(server, connectionLimit(config))
  // An error after the start means that the server could not accept a connection, for example without free file
  // descriptors. The server logs the error and continues. The code that starts the server handles earlier errors.
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
 * Treats requests with an unusual method, such as QUERY, as TRACE requests. Each path refuses TRACE with the status 405
 * and the list of its allowed methods. Otherwise, each path would need extra routes for about thirty methods that Node
 * accepts.
 */
const routeUnknownMethods =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    if (!routed.has(request.method ?? '')) request.method = 'TRACE'
    handler(request, response)
  }

/** The maximum number of requests on one connection that may wait for an answer at the same time. */
const MOST_AT_ONCE = 16

/**
 * Handles the requests of one connection one after the other. Node parses all requests in a received chunk at once, and
 * a chunk can contain a thousand requests. Without this queue, one client could block other connections and fill the
 * memory with answers. The server closes a connection with too many waiting requests.
 */
export function serializeRequests(handler: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, (() => void)[]>()
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // The client has already closed the connection, so its IP address is unknown. The server drops the request, because
    // the rate limits need the IP address.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const queue = unanswered.get(socket) ?? []
    unanswered.set(socket, queue)
    queue.push(() => handler(request, response))
    if (queue.length > MOST_AT_ONCE) return void socket.destroy()
    // The next request always starts in a later turn of the event loop. This rule also applies if the server refuses a
    // request while Node still parses the same chunk of bytes.
    const next = () => {
      queue.shift()
      if (!socket.destroyed) queue[0]?.()
    }
    response.once('close', () => setImmediate(next))
    if (queue.length === 1) queue[0]?.()
  }
}
