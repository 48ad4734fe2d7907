/** Wire types: varint, 64 bits, length-delimited, 32 bits. */
const VARINT = 0
const FIXED64 = 1
const LENGTH_DELIMITED = 2
const FIXED32 = 5

/** Writes a protobuf message (https://protobuf.dev/programming-guides/encoding). */
export class Protobuf {
  #bytes = Buffer.allocUnsafe(65_536)
  #length = 0

  varint(field: number, value: number): void {
    this.#varint((field << 3) | VARINT)
    this.#varint(value)
  }

  fixed64(field: number, low: number, high: number): void {
    this.#varint((field << 3) | FIXED64)
    this.#room(8)
    this.#bytes.writeUInt32LE(low, this.#length)
    this.#bytes.writeUInt32LE(high, this.#length + 4)
    this.#length += 8
  }

  fixed32(field: number, value: number): void {
    this.#varint((field << 3) | FIXED32)
    this.#room(4)
    this.#length = this.#bytes.writeUInt32LE(value, this.#length)
  }

  text(field: number, text: string, encoding: 'utf8' | 'hex' = 'utf8'): void {
    this.#varint((field << 3) | LENGTH_DELIMITED)
    const length = Buffer.byteLength(text, encoding)
    this.#varint(length)
    this.#room(length)
    this.#length += this.#bytes.write(text, this.#length, encoding)
  }

  /** A nested message. Its length stands before it and is known only after writing, so the bytes move, mostly by one. */
  message(field: number, write: () => void): void {
    this.#varint((field << 3) | LENGTH_DELIMITED)
    const from = this.#length
    write()
    const length = this.#length - from
    const head = sizeOf(length)
    this.#room(head)
    this.#bytes.copyWithin(from + head, from, this.#length)
    this.#length = from
    this.#varint(length)
    this.#length += length
  }

  encodedFields(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** The written bytes: a view of the buffer, so the caller writes nothing more. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #varint(value: number): void {
    this.#room(10)
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 128
    this.#bytes[this.#length++] = rest
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

const sizeOf = (value: number): number => (value < 128 ? 1 : 1 + sizeOf(Math.floor(value / 128)))
