import { IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The maximum number of body pieces that the server handles in one turn of the event loop, for all connections
 * together. Each piece takes one or two microseconds.
 */
const MOST_PIECES_IN_TURN = 2_048
/** The start of one request counts as this number of body pieces, because it takes as much time. */
const PIECES_PER_REQUEST = 8

/**
 * Shares the event loop between connections. Node parses up to 64 KB of one connection at once, which can contain
 * eleven thousand chunks of one byte. All connections with new data are handled in the same turn, so twenty such
 * connections would block all others. After enough pieces, the server pauses all connections until the next turn.
 */
export function shareEventLoop() {
  const connections = new Set<Socket>()
  let taken = 0
  let held: Socket[] | undefined

  const take = (pieces: number) => {
    if (taken === 0) setImmediate(endTurn)
    taken += pieces
    if (taken > MOST_PIECES_IN_TURN) held ??= pauseReading(connections)
  }
  const endTurn = () => {
    taken = 0
    for (const connection of held ?? []) connection.resume()
    held = undefined
  }

  class CountedRequest extends IncomingMessage {
    // Node calls `push` for each piece of a body. The server cannot count events instead, because a stream without a
    // listener emits none.
    override push(piece: Buffer | null): boolean {
      if (piece) take(1)
      return super.push(piece)
    }
  }

  return {
    IncomingMessage: CountedRequest,
    among(server: Server, connected: 'connection' | 'secureConnection') {
      server.on(connected, (connection: Socket) => {
        connections.add(connection)
        connection.once('close', () => connections.delete(connection))
      })
      server.prependListener('request', () => take(PIECES_PER_REQUEST))
    },
  }
}

/**
 * Pauses the connections that are reading, and returns them. The server later resumes only these connections. A
 * connection that was already paused, such as one with an unread answer, stays paused.
 */
function pauseReading(connections: Iterable<Socket>): Socket[] {
  const reading = [...connections].filter((connection) => !connection.isPaused())
  for (const connection of reading) connection.pause()
  return reading
}
