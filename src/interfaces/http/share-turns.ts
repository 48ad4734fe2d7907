import { IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'

/** Pieces of bodies that are taken in one turn, of all connections together. Each takes a microsecond or two. */
const MOST_IN_TURN = 2_048
/** To begin with a request takes as long as so many pieces. */
const PER_REQUEST = 8

/**
 * Of one connection sixty-four kilobytes are parsed in one go, which is eleven thousand chunks of a single byte, and all
 * connections that have something to be read are in the same turn: twenty of them would keep everybody waiting. So where
 * enough was taken the others are read in the next.
 */
export function shareTurns() {
  const connections = new Set<Socket>()
  let taken = 0
  let held: Socket[] | undefined

  const take = (pieces: number) => {
    if (taken === 0) setImmediate(endTurn)
    taken += pieces
    if (taken > MOST_IN_TURN) held ??= hold(connections)
  }
  const endTurn = () => {
    taken = 0
    for (const connection of held ?? []) connection.resume()
    held = undefined
  }

  class CountedRequest extends IncomingMessage {
    // Called for each piece where it comes: a stream that nobody listens to yet tells of none.
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
      server.prependListener('request', () => take(PER_REQUEST))
    },
  }
}

/** What is held by others, as where its answers wait to be read, is not ours to resume. */
function hold(connections: Iterable<Socket>): Socket[] {
  const reading = [...connections].filter((connection) => !connection.isPaused())
  for (const connection of reading) connection.pause()
  return reading
}
