import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../infra/config/read-config.ts'
import { asRecord } from '../../infra/util/object-members.ts'

/**
 * The maximum number of client connections. Each connection uses about 30 KB of memory, and twice as much while it
 * receives headers.
 */
const MOST_CONNECTIONS = 10_000
const FEWEST_CONNECTIONS = 100
/**
 * The number of file descriptors that the server reserves for its own files and connections. Database connections count
 * separately.
 */
const RESERVED_FILES = 256

/**
 * Returns the maximum number of client connections. Each connection needs a file descriptor, and the system limits
 * their number. The server keeps some descriptors free for its own files and database connections, because it cannot
 * work without them.
 */
export function connectionLimit({ databasePool }: Pick<Config, 'databasePool'>, openFiles = openFilesLimit()): number {
  return Math.max(FEWEST_CONNECTIONS, Math.min(MOST_CONNECTIONS, openFiles - databasePool - RESERVED_FILES))
}

function openFilesLimit(): number {
  // Node's diagnostic report contains the limit of open files. With `excludeNetwork`, the report does not look up the
  // host names of all clients, which would be slow.
  Object.assign(process.report, { excludeNetwork: true })
  const limit = asRecord(asRecord(asRecord(process.report.getReport()).userLimits).open_files).soft
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
}

/**
 * Limits the number of client connections. Above the limit, the server closes the connection that has sent no request
 * for the longest time. An honest client can then connect again.
 */
export function boundConnections(server: Server, most: number) {
  const quietest = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const name = connectionKey(socket)
    quietest.set(name, socket)
    socket.once('close', () => quietest.delete(name))
    for (const [first, one] of quietest) {
      if (quietest.size <= most) break
      quietest.delete(first)
      one.destroy()
    }
  })
  server.prependListener('request', ({ socket }) => {
    const name = connectionKey(socket)
    const connection = quietest.get(name)
    if (connection && quietest.delete(name)) quietest.set(name, connection)
  })
}

/**
 * When the server stops, it waits this number of milliseconds before it closes connections without a request. In this
 * time, each client can still send one request.
 */
const LAST_REQUEST_MS = 1_000

/**
 * Closes connections when the server stops, because open connections delay the end of the process. Browsers and load
 * balancers also open connections in advance, before any request. Node treats such connections as active, so this
 * function closes them. The last answers ask all other clients to close their connections.
 */
export function closeIdleConnectionsOnShutdown(app: FastifyInstance) {
  const silent = new Map<string, Socket>()
  let closing = false
  app.server.on('connection', (socket: Socket) => {
    const name = connectionKey(socket)
    silent.set(name, socket)
    socket.once('close', () => silent.delete(name))
  })
  app.server.prependListener('request', ({ socket }) => silent.delete(connectionKey(socket)))
  app.addHook('preClose', async () => {
    closing = true
    const hangUp = () => {
      for (const socket of silent.values()) socket.destroy()
    }
    setTimeout(hangUp, LAST_REQUEST_MS).unref()
  })
  app.addHook('onSend', (_, reply, __, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}

/**
 * Returns a text that identifies a connection: its remote address and port. With TLS, a request and its connection have
 * different socket objects, but the same address and port.
 */
const connectionKey = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
