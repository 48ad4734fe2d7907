/** Bytes, the same limit as for an HTTP body. */
const LONGEST_LINE_BYTES = 1024 * 1024

/** Splits a stream into lines. It truncates a line that is too long. The rest is then not valid JSON and gets an error. */
export class LineSplitter {
  #pieces: Buffer[] = []
  #length = 0

  split(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      this.#keep(chunk.subarray(from, end))
      from = end + 1
      const line = Buffer.concat(this.#pieces)
      this.#pieces = []
      this.#length = 0
      if (line.toString('latin1').trim() !== '') lines.push(line)
    }
    this.#keep(chunk.subarray(from))
    return lines
  }

  #keep(piece: Buffer) {
    const kept = piece.subarray(0, LONGEST_LINE_BYTES - this.#length)
    if (kept.length === 0) return
    this.#pieces.push(kept)
    this.#length += kept.length
  }
}
