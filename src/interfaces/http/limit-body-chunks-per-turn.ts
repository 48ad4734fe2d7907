import { IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The maximum number of request body pieces that the server handles in one turn of the event loop, for all connections
 * together. Each piece takes one or two microseconds.
 */
const MOST_PIECES_IN_TURN = 2_048
/** The start of a request takes as much time as this number of body pieces, so it counts as this number of pieces. */
const PIECES_PER_REQUEST = 8

/**
 * Shares the event loop between connections. Node parses up to 64 KB of one connection at once, which can contain
 * eleven thousand chunks of one byte. Twenty such connections in the same turn would block all other connections.
 * Therefore the server pauses all connections after enough pieces, until the next turn.
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
    // Node calls `push` for each piece of a body, so the server counts the pieces here. It cannot count `data` events,
    // because a stream without a listener emits no such events.
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
 * Pauses all connections from which the server is reading, and returns them. The server later resumes only these
 * connections. A connection that was already paused, for example because of an unread answer, stays paused.
 */
function pauseReading(connections: Iterable<Socket>): Socket[] {
  const reading = [...connections].filter((connection) => !connection.isPaused())
  for (const connection of reading) connection.pause()
  return reading
}
