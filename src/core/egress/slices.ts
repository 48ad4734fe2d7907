import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { bytesByTurns } from '../../infra/util/bytes-by-turns.ts'

/** Bytes that are parsed at once. Where each chunk of an answer is a single byte, 2 KB take half a millisecond. */
const SLICE = 2 * 1024
/** One limit for all connections together. */
const turnFor = bytesByTurns(8 * SLICE)

/**
 * A connection that passes on received bytes in slices, few of them in one turn of the event loop. Otherwise the server
 * could parse the answers of a hundred receivers in one turn. That would block other requests.
 */
export const inSlices = (socket: TLSSocket): Duplex => Duplex.from({ readable: slicesOf(socket), writable: socket })

async function* slicesOf(socket: TLSSocket): AsyncIterable<Buffer> {
  for await (const piece of socket as AsyncIterable<Buffer>)
    for (let from = 0; from < piece.length; from += SLICE) {
      const slice = piece.subarray(from, from + SLICE)
      await turnFor(slice.length)
      yield slice
    }
}
