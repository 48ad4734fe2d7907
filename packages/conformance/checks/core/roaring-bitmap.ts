/**
 * Decodes a set of 32-bit integers from a Roaring bitmap in the portable format
 * (https://github.com/RoaringBitmap/RoaringFormatSpec). Throws an error if the bytes are not valid.
 */

const COOKIE_WITH_RUNS = 12347
const COOKIE_WITHOUT_RUNS = 12346
/** A bitmap with runs and fewer containers contains no offsets. */
const MIN_CONTAINERS_WITH_OFFSETS = 4
/** A container with more values is a bit set of 8 KiB. A container with fewer values is a sorted list. */
const MAX_LISTED_VALUES = 4096
const BIT_SET_BYTES = 8192
const MAX_CONTAINERS = 65_536

/** Returns the values of the bitmap, in ascending order. */
export function decodeRoaring(bytes: Buffer): number[] {
  const reader = new Reader(bytes)
  const { count, runFlags } = readHeader(reader)
  const containers = Array.from({ length: count }, (_, index) => ({
    key: reader.uint16(),
    cardinality: reader.uint16() + 1,
    isRun: (((runFlags?.[index >> 3] ?? 0) >> (index & 7)) & 1) === 1,
  }))
  const hasOffsets = runFlags === undefined || count >= MIN_CONTAINERS_WITH_OFFSETS
  if (hasOffsets) reader.skip(4 * count)
  const values: number[] = []
  let previousKey = -1
  for (const { key, cardinality, isRun } of containers) {
    if (key <= previousKey) throw new Error('The containers of the bitmap are not in ascending order.')
    previousKey = key
    const low = isRun
      ? readRuns(reader)
      : cardinality > MAX_LISTED_VALUES
        ? readBits(reader)
        : readList(reader, cardinality)
    if (low.length !== cardinality)
      throw new Error(`A container of the bitmap has ${low.length} values, but its header says ${cardinality}.`)
    for (const value of low) values.push(key * 65_536 + value)
  }
  reader.expectEnd()
  return values
}

interface Header {
  /** The number of containers. */
  count: number
  /** The bit of a container is 1 if it consists of runs. Undefined if the bitmap has no runs. */
  runFlags: number[] | undefined
}

function readHeader(reader: Reader): Header {
  const cookie = reader.uint32()
  if (cookie === COOKIE_WITHOUT_RUNS) {
    const count = reader.uint32()
    if (count > MAX_CONTAINERS)
      throw new Error(`The header of the bitmap says ${count} containers, which are too many.`)
    return { count, runFlags: undefined }
  }
  if ((cookie & 0xffff) !== COOKIE_WITH_RUNS) throw new Error(`The bitmap begins with the unknown cookie ${cookie}.`)
  const count = (cookie >>> 16) + 1
  return { count, runFlags: Array.from({ length: Math.ceil(count / 8) }, () => reader.uint8()) }
}

function readRuns(reader: Reader): number[] {
  const values: number[] = []
  const runs = reader.uint16()
  for (let run = 0; run < runs; run++) {
    const first = reader.uint16()
    const last = first + reader.uint16()
    if (first <= (values.at(-1) ?? -1) || last > 0xffff)
      throw new Error('A run of the bitmap does not follow the previous run.')
    for (let value = first; value <= last; value++) values.push(value)
  }
  return values
}

function readList(reader: Reader, count: number): number[] {
  const values = Array.from({ length: count }, () => reader.uint16())
  if (values.some((value, index) => index > 0 && value <= (values[index - 1] ?? 0)))
    throw new Error('A list in the bitmap is not in ascending order.')
  return values
}

function readBits(reader: Reader): number[] {
  const values: number[] = []
  for (let byte = 0; byte < BIT_SET_BYTES; byte++) {
    const bits = reader.uint8()
    for (let bit = 0; bit < 8; bit++) if ((bits >> bit) & 1) values.push(byte * 8 + bit)
  }
  return values
}

class Reader {
  readonly #bytes: Buffer
  #position = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  uint8 = () => this.#bytes.readUInt8(this.skip(1))
  uint16 = () => this.#bytes.readUInt16LE(this.skip(2))
  uint32 = () => this.#bytes.readUInt32LE(this.skip(4))

  /** Moves forward by `count` bytes. Returns the position before the move. */
  skip(count: number): number {
    const before = this.#position
    this.#position += count
    if (this.#position > this.#bytes.length) throw new Error('The bitmap ends too early.')
    return before
  }

  expectEnd(): void {
    const left = this.#bytes.length - this.#position
    if (left > 0) throw new Error(`The bitmap has ${left} bytes after its end.`)
  }
}
