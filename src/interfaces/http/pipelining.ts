import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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
