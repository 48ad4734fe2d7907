import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { limitBytesPerTurn } from '../../infra/util/time-slice.ts'

/** Bytes that are parsed at once. Where each chunk of an answer is a single byte, 2 KB take half a millisecond. */
const SLICE_BYTES = 2 * 1024
/** One limit for all connections together. */
const waitForBytes = limitBytesPerTurn(8 * SLICE_BYTES)

/**
 * A connection that passes on received bytes in slices, few of them in one turn of the event loop. Otherwise the server
 * could parse the answers of a hundred receivers in one turn. That would block other requests.
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
