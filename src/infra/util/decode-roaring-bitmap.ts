import { ROARING, type Run } from './encode-roaring-bitmap.ts'

class MalformedError extends Error {}

/**
 * Decodes a 32-bit Roaring bitmap (a compressed set of numbers) from an untrusted sender. Returns the runs of
 * successive numbers in the set. Returns undefined if the bitmap is malformed or has more than `most` runs. A long run
 * costs no more than a short one, so a few bytes cannot cause much work.
 */
export function decodeRoaring(bytes: Uint8Array, most: number): Run[] | undefined {
  try {
    const reader = new Reader(bytes)
    const runs: Run[] = []
    for (const [first, last] of runsIn(reader)) {
      const before = runs.at(-1)
      // A run at the end of one block of the bitmap can continue in the next block. The two runs then become one run.
      if (before && before[1] + 1 === first) runs[runs.length - 1] = [before[0], last]
      else if (runs.push([first, last]) > most) return undefined
    }
    return reader.isAtEnd ? runs : undefined
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

class Reader {
  readonly #view: DataView
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.#position === this.#view.byteLength
  }

  uint8(): number {
    return this.#view.getUint8(this.#advance(1))
  }

  uint16(): number {
    return this.#view.getUint16(this.#advance(2), true)
  }

  uint32(): number {
    return this.#view.getUint32(this.#advance(4), true)
  }

  #advance(length: number): number {
    const at = this.#position
    expectThat(at + length <= this.#view.byteLength)
    this.#position += length
    return at
  }
}

function expectThat(isAsExpected: boolean): void {
  if (!isAsExpected) throw new MalformedError()
}

/**
 * Reads the blocks (containers) of the bitmap in order. The blocks follow each other, so the function skips the table
 * of their offsets.
 */
function* runsIn(reader: Reader): Generator<Run> {
  const { cookie, containerSize, offsetsFrom } = ROARING
  const kind = reader.uint16()
  const high = reader.uint16()
  expectThat(kind === cookie.withRuns || (kind === cookie.withoutRuns && high === 0))
  const hasRuns = kind === cookie.withRuns
  const count = hasRuns ? high + 1 : reader.uint32()
  expectThat(count <= containerSize)
  const flags = hasRuns ? Array.from({ length: Math.ceil(count / 8) }, () => reader.uint8()) : []
  const headers: { key: number; size: number }[] = []
  for (let nth = 0; nth < count; nth++) {
    const header = { key: reader.uint16(), size: reader.uint16() + 1 }
    expectThat(header.key > (headers.at(-1)?.key ?? -1))
    headers.push(header)
  }
  if (!hasRuns || count >= offsetsFrom) for (let nth = 0; nth < count; nth++) reader.uint32()
  for (const [nth, { key, size }] of headers.entries()) {
    const isRun = ((flags[nth >> 3] ?? 0) & (1 << (nth & 7))) !== 0
    const base = key * containerSize
    for (const [first, last] of runsOfContainer(reader, size, isRun)) yield [base + first, base + last]
  }
}

/**
 * Reads the runs of successive numbers in one block of the bitmap. Checks that the count in the header of the block is
 * right.
 */
function* runsOfContainer(reader: Reader, size: number, isRun: boolean): Generator<Run> {
  let [count, end] = [0, -1]
  const runs = isRun ? runContainer(reader) : size <= ROARING.largestArray ? array(reader, size) : bitmap(reader)
  for (const run of runs) {
    expectThat(run[0] > end && run[1] < ROARING.containerSize)
    end = run[1]
    count += run[1] - run[0] + 1
    yield run
  }
  expectThat(count === size)
}

function* runContainer(reader: Reader): Generator<Run> {
  const count = reader.uint16()
  for (let nth = 0; nth < count; nth++) {
    const first = reader.uint16()
    yield [first, first + reader.uint16()]
  }
}

function* array(reader: Reader, size: number): Generator<Run> {
  let first = reader.uint16()
  let last = first
  for (let nth = 1; nth < size; nth++) {
    const next = reader.uint16()
    expectThat(next > last)
    if (next > last + 1) {
      yield [first, last]
      first = next
    }
    last = next
  }
  yield [first, last]
}

function* bitmap(reader: Reader): Generator<Run> {
  let first = -1
  for (let at = 0; at < ROARING.containerSize; at += 8) {
    const byte = reader.uint8()
    for (let bit = 0; bit < 8; bit++) {
      const isSet = (byte & (1 << bit)) !== 0
      if (isSet && first < 0) first = at + bit
      if (!isSet && first >= 0) {
        yield [first, at + bit - 1]
        first = -1
      }
    }
  }
  if (first >= 0) yield [first, ROARING.containerSize - 1]
}
