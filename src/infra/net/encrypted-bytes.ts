import type { Socket } from 'node:net'
import { Duplex, type Writable } from 'node:stream'
import { limitBytesPerTurn } from '../util/time-slice.ts'

/**
 * Most bytes of a TLS handshake from one peer. An honest peer sends less, even with three certificates of the largest
 * keys. The slowest certificates that fit need some 70 ms of a busy machine.
 */
export const MAX_HANDSHAKE_BYTES = 10 * 1024
/**
 * A limit for all connections together. Each slice counts with all earlier bytes of its handshake, since TLS may verify
 * all of them with any byte.
 */
const turnForHandshake = limitBytesPerTurn(MAX_HANDSHAKE_BYTES)
/**
 * Most bytes that TLS decrypts without a pause. A key update has only 27 bytes, but takes longer than 27 bytes of a body.
 */
const SLICE_BYTES = 4 * 1024
/** A limit for all connections together. */
const turnFor = limitBytesPerTurn(16 * SLICE_BYTES)

/**
 * The encrypted bytes between a socket and TLS. It limits the bytes of a handshake, and the bytes in one turn of the
 * event loop.
 */
export class EncryptedBytes extends Duplex {
  readonly #socket: Socket
  #handed = 0
  #isHandshakeOver = false
  #isHanding = false
  #hasEnded = false
  /** Whether the stream was destroyed because the handshake exceeded its limit. */
  exceededHandshakeLimit = false

  constructor(socket: Socket) {
    super({ allowHalfOpen: socket.allowHalfOpen })
    this.#socket = socket
    // When the peer ends its side, this side ends only after TLS has received all earlier bytes.
    socket.allowHalfOpen = true
    socket.on('data', (piece: Buffer) => void this.#hand(piece))
    socket.on('end', () => this.#end())
    // After an error of the socket, TLS sees only that the stream closed.
    socket.on('error', () => {}).on('close', () => this.destroy())
  }

  endHandshake() {
    this.#isHandshakeOver = true
  }

  async #hand(piece: Buffer) {
    this.#isHanding = true
    this.#socket.pause()
    let wantsMore = true
    for (let rest = piece; rest.length > 0; ) {
      const slice = rest.subarray(
        0,
        this.#isHandshakeOver ? SLICE_BYTES : Math.min(SLICE_BYTES, MAX_HANDSHAKE_BYTES - this.#handed),
      )
      this.exceededHandshakeLimit = slice.length === 0
      if (this.exceededHandshakeLimit) return void this.destroy()
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
 * Makes a TLS stream skip empty writes; Node's HTTP sends one at the end of an answer. At the same time TLS may write,
 * for example when a client requests a new key. Node ends the process on two writes at once.
 */
export function skipEmptyWrites(secure: Writable) {
  const { _write: write, _writev: writeAll } = secure
  secure._write = (chunk, encoding, done) => (chunk.length === 0 ? done() : write.call(secure, chunk, encoding, done))
  if (writeAll)
    secure._writev = (chunks, done) =>
      chunks.every(({ chunk }) => chunk.length === 0) ? done() : writeAll.call(secure, chunks, done)
}
