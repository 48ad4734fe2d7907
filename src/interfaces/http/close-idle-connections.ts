import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds. A new connection may still send a request in this time. */
const LAST_REQUEST_MS = 1_000

/**
 * Closes connections that would delay the end of the process. One kind is a connection that the client keeps open after its
 * last answer. The other is a connection without any request yet, which browsers and load balancers open and Node counts as
 * active.
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

/** With TLS, a request has another socket object than its connection, but the same remote address and port. */
export const connectionKey = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
