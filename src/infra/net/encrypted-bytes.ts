import type { Socket } from 'node:net'
import { Duplex, type Writable } from 'node:stream'
import { bytesByTurns } from '../util/bytes-by-turns.ts'

/**
 * Bytes from the greeting to the end of the handshake. Whoever is honest has less to say, with three certificates of the
 * largest keys; as many as fit, of keys that take the longest, are verified in some 70 ms of a busy machine.
 */
export const HANDSHAKE = 10 * 1024
/** Of all connections together, as many as of one: with any byte it may be that all before it are verified. */
const turnForHandshake = bytesByTurns(HANDSHAKE)
/** Bytes that are decrypted in one go: a change of the key takes 27 of them, and longer than as many of a body. */
const SLICE = 4 * 1024
/** Of all connections together. */
const turnFor = bytesByTurns(16 * SLICE)

/** What goes over a connection, as TLS reads and writes it: little of it before the handshake is over, and never much in one turn. */
export class EncryptedBytes extends Duplex {
  readonly #socket: Socket
  #handed = 0
  #isHandshakeOver = false
  #isHanding = false
  #hasEnded = false
  /** Whether it ended because there was more to the handshake. */
  wereTooMany = false

  constructor(socket: Socket) {
    super({ allowHalfOpen: socket.allowHalfOpen })
    this.#socket = socket
    // Whoever hangs up is answered so once all that came before is handed over.
    socket.allowHalfOpen = true
    socket.on('data', (piece: Buffer) => void this.#hand(piece))
    socket.on('end', () => this.#end())
    // Whatever went wrong, TLS is told that it ended.
    socket.on('error', () => {}).on('close', () => this.destroy())
  }

  handshakeIsOver() {
    this.#isHandshakeOver = true
  }

  async #hand(piece: Buffer) {
    this.#isHanding = true
    this.#socket.pause()
    let wantsMore = true
    for (let rest = piece; rest.length > 0; ) {
      const slice = rest.subarray(0, this.#isHandshakeOver ? SLICE : Math.min(SLICE, HANDSHAKE - this.#handed))
      this.wereTooMany = slice.length === 0
      if (this.wereTooMany) return void this.destroy()
      await (this.#isHandshakeOver ? turnFor(slice.length) : turnForHandshake(this.#handed + slice.length))
      if (this.destroyed) return
      this.#handed += slice.length
      wantsMore = this.push(slice)
      rest = rest.subarray(slice.length)
    }
    this.#isHanding = false
    if (this.#hasEnded) this.push(null)
    else if (wantsMore) this.#socket.resume()
  }

  #end() {
    this.#hasEnded = true
    if (!this.#isHanding) this.push(null)
  }

  override _read() {
    if (!this.#isHanding) this.#socket.resume()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void) {
    this.#socket.write(chunk, done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void) {
    this.#socket.cork()
    for (const [index, { chunk }] of chunks.entries())
      this.#socket.write(chunk, index === chunks.length - 1 ? done : undefined)
    this.#socket.uncork()
  }

  override _final(done: (error?: Error | null) => void) {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#socket.destroy()
    done(error)
  }
}

/**
 * Has TLS over such bytes write nothing that is empty, as Node's HTTP does at the end of an answer. While that is on its way TLS may
 * have something to say itself, as to a client who asks for another key, and Node ends the process over two writes at once.
 */
export function writeNothingEmpty(secure: Writable) {
  const { _write: write, _writev: writeAll } = secure
  secure._write = (chunk, encoding, done) => (chunk.length === 0 ? done() : write.call(secure, chunk, encoding, done))
  if (writeAll)
    secure._writev = (chunks, done) =>
      chunks.every(({ chunk }) => chunk.length === 0) ? done() : writeAll.call(secure, chunks, done)
}
