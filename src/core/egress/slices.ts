import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { bytesByTurns } from '../../infra/util/bytes-by-turns.ts'

/** Bytes that are parsed in one go. Where each chunk of an answer is a single byte that takes half a millisecond. */
const SLICE = 2 * 1024
/** Of all connections together. */
const turnFor = bytesByTurns(8 * SLICE)

/**
 * A connection that hands over what comes in slices, few of them in one turn. A hundred receivers that answer in the same
 * moment, each with as many chunks as fit into a packet, would else be parsed one after the other while everybody waits.
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
