import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { limitBytesPerTurn } from '../../infra/util/yield-to-event-loop.ts'

/**
 * The maximum number of bytes in an answer that the HTTP parser gets at once. Parsing 2 KB takes half a millisecond in
 * the worst case, when each chunk of the answer has a single byte.
 */
const SLICE_BYTES = 2 * 1024
/**
 * Limits how many bytes of answers from other hosts the server parses in one turn of the event loop. The limit covers
 * all connections together.
 */
const waitForBytes = limitBytesPerTurn(8 * SLICE_BYTES)

/**
 * Wraps a connection, so the HTTP parser gets only few bytes in one turn of the event loop. Without the limit, the
 * server could parse the answers of a hundred receivers in one turn, which would block other requests.
 */
export const readInSlices = (socket: TLSSocket): Duplex => Duplex.from({ readable: slicesOf(socket), writable: socket })

async function* slicesOf(socket: TLSSocket): AsyncIterable<Buffer> {
  for await (const piece of socket as AsyncIterable<Buffer>)
    for (let from = 0; from < piece.length; from += SLICE_BYTES) {
      const slice = piece.subarray(from, from + SLICE_BYTES)
      await waitForBytes(slice.length)
      yield slice
    }
}
