import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests on one connection that have no answer yet. */
const MOST_AT_ONCE = 16

/**
 * What comes in one piece is parsed in one go, and a thousand requests fit into it: all would be worked on before anybody
 * else has a turn, and all their answers kept until the first is read. So each is worked on in a turn after that in which the
 * one before it was answered, and its answer taken. Hardly a client sends a second one earlier; who sends very many loses
 * the connection.
 */
export function oneAfterTheOther(handler: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, (() => void)[]>()
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // Who was gone before the connection was accepted has no address to be counted by, and reads no answer.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const queue = unanswered.get(socket) ?? []
    unanswered.set(socket, queue)
    queue.push(() => handler(request, response))
    if (queue.length > MOST_AT_ONCE) return void socket.destroy()
    // What is refused at once is answered while the same piece is still parsed: the next one has its turn all the same.
    const next = () => {
      queue.shift()
      if (!socket.destroyed) queue[0]?.()
    }
    response.once('close', () => setImmediate(next))
    if (queue.length === 1) queue[0]?.()
  }
}
