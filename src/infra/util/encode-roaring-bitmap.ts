/**
 * A run of successive numbers: its first and its last number, both inclusive. A list of runs is sorted, and at least
 * one number is missing between two runs.
 */
export type Run = readonly [first: number, last: number]

/** The constants of the 32-bit Roaring format: https://github.com/RoaringBitmap/RoaringFormatSpec. */
export const ROARING = {
  cookie: { withoutRuns: 12_346, withRuns: 12_347 },
  /** The maximum size of one block (container) of a Roaring bitmap, in numbers. */
  containerSize: 1 << 16,
  /**
   * A block with at most this many numbers stores them as a list. With more numbers, one bit for each possible number
   * takes less space.
   */
  largestArray: 4_096,
  bitmapBytes: 8_192,
  /** A Roaring bitmap that stores runs has a table of offsets if it has this number of blocks or more. */
  offsetsFrom: 4,
} as const

interface Container {
  key: number
  /** The runs of successive numbers in one block of the bitmap. The block counts its numbers from 0 to 65535. */
  runs: Run[]
}

/**
 * Encodes runs of numbers as a Roaring bitmap. Each block gets the smallest of three forms: sorted numbers, bits or
 * runs.
 */
export function encodeRoaring(runs: readonly Run[]): Buffer {
  const containers = containersOf(runs)
  const bodies = containers.map(bodyOf)
  const headers = containers.map(({ key, runs }) => uint16s([key, countOf(runs) - 1]))
  const count = containers.length
  const hasRuns = bodies.some(({ isRun }) => isRun)
  const { cookie, offsetsFrom } = ROARING
  const start = hasRuns
    ? Buffer.concat([uint16s([cookie.withRuns, count - 1]), flags(bodies.map(({ isRun }) => isRun))])
    : uint32s([cookie.withoutRuns, count])
  const hasOffsets = !hasRuns || count >= offsetsFrom
  const offsets: number[] = []
  let offset = start.length + count * (hasOffsets ? 8 : 4)
  for (const { bytes } of bodies) {
    offsets.push(offset)
    offset += bytes.length
  }
  return Buffer.concat([
    start,
    ...headers,
    ...(hasOffsets ? [uint32s(offsets)] : []),
    ...bodies.map((one) => one.bytes),
  ])
}

const countOf = (runs: readonly Run[]): number => runs.reduce((sum, [first, last]) => sum + last - first + 1, 0)

function containersOf(runs: readonly Run[]): Container[] {
  const { containerSize } = ROARING
  const containers: Container[] = []
  for (const [first, last] of runs)
    for (let from = first; from <= last; ) {
      const key = Math.floor(from / containerSize)
      const to = Math.min(last, (key + 1) * containerSize - 1)
      const known = containers.at(-1)
      const run: Run = [from % containerSize, to % containerSize]
      if (known?.key === key) known.runs.push(run)
      else containers.push({ key, runs: [run] })
      from = to + 1
    }
  return containers
}

function bodyOf({ runs }: Container): { bytes: Buffer; isRun: boolean } {
  const count = countOf(runs)
  const inRuns = 2 + 4 * runs.length
  const otherwise = count <= ROARING.largestArray ? 2 * count : ROARING.bitmapBytes
  if (inRuns < otherwise)
    return { bytes: uint16s([runs.length, ...runs.flatMap(([first, last]) => [first, last - first])]), isRun: true }
  return { bytes: count <= ROARING.largestArray ? uint16s([...numbersOf(runs)]) : bitmapOf(runs), isRun: false }
}

function* numbersOf(runs: readonly Run[]): Generator<number> {
  for (const [first, last] of runs) for (let one = first; one <= last; one++) yield one
}

function bitmapOf(runs: readonly Run[]): Buffer {
  const bytes = Buffer.alloc(ROARING.bitmapBytes)
  for (const one of numbersOf(runs)) bytes[one >> 3] = (bytes[one >> 3] ?? 0) | (1 << (one & 7))
  return bytes
}

const flags = (bits: readonly boolean[]): Buffer =>
  bits.reduce(
    (bytes, bit, nth) => {
      if (bit) bytes[nth >> 3] = (bytes[nth >> 3] ?? 0) | (1 << (nth & 7))
      return bytes
    },
    Buffer.alloc(Math.ceil(bits.length / 8)),
  )

function uint16s(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length)
  for (const [nth, one] of numbers.entries()) bytes.writeUInt16LE(one, 2 * nth)
  return bytes
}

function uint32s(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [nth, one] of numbers.entries()) bytes.writeUInt32LE(one, 4 * nth)
  return bytes
}
