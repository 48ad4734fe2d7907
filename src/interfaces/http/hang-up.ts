import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds in which whoever has just connected may still ask for something. */
const LAST_CHANCE = 1_000

/**
 * What would hold up the end of the process: a connection that its client keeps open after its last answer, and one on
 * which nothing was asked yet, such as a browser or a load balancer opens, which Node takes for one that is at work.
 */
export function hangUpWhenClosing(app: FastifyInstance) {
  const silent = new Map<string, Socket>()
  let closing = false
  app.server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    silent.set(name, socket)
    socket.once('close', () => silent.delete(name))
  })
  app.server.prependListener('request', ({ socket }) => silent.delete(nameOf(socket)))
  app.addHook('preClose', async () => {
    closing = true
    const hangUp = () => {
      for (const socket of silent.values()) socket.destroy()
    }
    setTimeout(hangUp, LAST_CHANCE).unref()
  })
  app.addHook('onSend', (_, reply, __, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}

/** Over TLS a request has another socket than its connection, between the same ends. */
export const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
