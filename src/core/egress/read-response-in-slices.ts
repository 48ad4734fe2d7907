import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { limitBytesPerTurn } from '../../infra/util/yield-to-event-loop.ts'

/**
 * The maximum number of bytes of an answer that the HTTP parser gets at once. In the worst case (each chunk has one
 * byte), parsing these bytes takes half a millisecond.
 */
const SLICE_BYTES = 2 * 1024
/**
 * Limits how many bytes of answers from other hosts the server parses in one turn of the event loop. All connections
 * share this limit.
 */
const waitForBytes = limitBytesPerTurn(8 * SLICE_BYTES)

/**
 * Wraps a connection, so that the HTTP parser gets few bytes in one turn of the event loop. Without this limit, parsing
 * the answers of a hundred hosts in one turn would block other requests.
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
