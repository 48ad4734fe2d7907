import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests on one connection that have no answer yet. */
const MOST_AT_ONCE = 16

/**
 * What comes in one piece is parsed in one go, and a thousand requests fit into it: all would be worked on before anybody
 * else has a turn, and all their answers kept until the first is read. Hardly a client sends a second one before it has
 * its answer; who sends that many loses the connection.
 */
export function fewPerConnection(handler: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>()
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const count = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, count)
    if (count > MOST_AT_ONCE) return void socket.destroy()
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    handler(request, response)
  }
}
