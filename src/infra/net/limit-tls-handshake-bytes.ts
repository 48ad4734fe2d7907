import type { Socket } from 'node:net'
import { Duplex, type Writable } from 'node:stream'
import { limitBytesPerTurn } from '../util/yield-to-event-loop.ts'

/**
 * The maximum number of bytes that a client may send in a TLS handshake. An honest client sends less, even with three
 * certificates of the largest keys. On a busy machine, the slowest certificates within this limit take about 70 ms.
 */
export const MAX_HANDSHAKE_BYTES = 10 * 1024
/**
 * Limits the TLS handshake bytes of all connections together in one turn of the event loop. Each new part of a
 * handshake counts together with the earlier bytes of this handshake, because TLS can verify all of them after any new
 * byte.
 */
const turnForHandshake = limitBytesPerTurn(MAX_HANDSHAKE_BYTES)
/**
 * The maximum number of bytes that TLS decrypts without a pause. The limit is low, because some TLS messages take much
 * time: a key update of 27 bytes takes longer than 27 bytes of a request body.
 */
const SLICE_BYTES = 4 * 1024
/** Limits the bytes that all connections together decrypt in one turn of the event loop, after the TLS handshake. */
const turnFor = limitBytesPerTurn(16 * SLICE_BYTES)

/**
 * A stream for the encrypted bytes between a socket and TLS. It limits the bytes of a handshake, and the bytes that TLS
 * gets in one turn of the event loop.
 */
export class EncryptedBytes extends Duplex {
  readonly #socket: Socket
  #handed = 0
  #isHandshakeOver = false
  #isHanding = false
  #hasEnded = false
  exceededHandshakeLimit = false

  constructor(socket: Socket) {
    super({ allowHalfOpen: socket.allowHalfOpen })
    this.#socket = socket
    // If the client ends the connection, this stream must not end before TLS has received all earlier bytes.
    socket.allowHalfOpen = true
    socket.on('data', (piece: Buffer) => void this.#hand(piece))
    socket.on('end', () => this.#end())
    // The server ignores errors of the socket. After an error, Node.js closes the socket, which closes this stream. TLS
    // then notices the end.
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
 * Makes a TLS stream skip empty writes. Node.js makes an empty write at the end of each HTTP answer. TLS can write at
 * the same time, for example if a client requests a new key. Two simultaneous writes would crash the process.
 */
export function skipEmptyWrites(secure: Writable) {
  const { _write: write, _writev: writeAll } = secure
  secure._write = (chunk, encoding, done) => (chunk.length === 0 ? done() : write.call(secure, chunk, encoding, done))
  if (writeAll)
    secure._writev = (chunks, done) =>
      chunks.every(({ chunk }) => chunk.length === 0) ? done() : writeAll.call(secure, chunks, done)
}
