import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { decodeRoaring } from '../../src/infra/util/decode-roaring-bitmap.ts'
import { encodeRoaring, type Run } from '../../src/infra/util/encode-roaring-bitmap.ts'
import { pythonWith } from '../support/python.ts'

const MOST = 100_000
const decoded = (base64: string, most = MOST) => decodeRoaring(Buffer.from(base64, 'base64'), most)
const encoded = (runs: Run[]) => encodeRoaring(runs).toString('base64')

/** Every number by itself, and neighbours joined. */
function runsOf(numbers: readonly number[]): Run[] {
  const runs: [number, number][] = []
  for (const one of numbers) {
    const last = runs.at(-1)
    if (last && last[1] + 1 === one) last[1] = one
    else runs.push([one, one])
  }
  return runs
}

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, nth) => from + nth * step)

describe('[LIV-042] known bitmaps', () => {
  test.each<[what: string, base64: string, numbers: number[]]>([
    // The two examples of the published protocol.
    ['one array container', 'OjAAAAEAAAAAAAcAEAAAAAAAAQACAAYACgAOAA8AEAA=', [0, 1, 2, 6, 10, 14, 15, 16]],
    ['a shorter array', 'OjAAAAEAAAAAAAMAEAAAAAAAAQAOAA8A', [0, 1, 14, 15]],
    ['nothing', 'OjAAAAAAAAA=', []],
    // Made with CRoaring.
    ['one run', 'OzAAAAEAAGMAAQAKAGMA', range(10, 109)],
    ['two containers', 'OjAAAAIAAAAAAAAAAQAAABgAAAAaAAAABQAAAA==', [5, 65_536]],
  ])('%s are read', (_, base64, numbers) => expect(decoded(base64)).toEqual(runsOf(numbers)))

  test.each<[what: string, base64: string, numbers: number[]]>([
    ['one array container', 'OjAAAAEAAAAAAAMAEAAAAAAAAgAOABEA', [0, 2, 14, 17]],
    ['one run', 'OzAAAAEAAGMAAQAKAGMA', range(10, 109)],
    ['nothing', 'OjAAAAAAAAA=', []],
  ])('%s are written', (_, base64, numbers) => expect(encoded(runsOf(numbers))).toBe(base64))
})

const sets: [what: string, numbers: number[]][] = [
  ['nothing', []],
  ['zero', [0]],
  ['the last number', [2 ** 32 - 1]],
  ['every third number, as an array', range(0, 3 * 4095, 3)],
  ['one more of them, as a bitmap', range(0, 3 * 4096, 3)],
  ['a run across containers', range(65_000, 200_000)],
  [
    'five containers of all three forms',
    [1, 5, ...range(65_536, 131_071, 2), ...range(140_000, 150_000), 262_144, 327_680],
  ],
  [
    'runs in three containers, without offsets',
    [...range(0, 99), ...range(65_536, 65_700), ...range(131_072, 131_200)],
  ],
  ['a whole container', range(65_536, 131_071)],
]

test.each(sets)('[LIV-042] %s comes back as it was written', (_, numbers) => {
  const runs = runsOf(numbers)
  expect(decodeRoaring(encodeRoaring(runs), MOST)).toEqual(runs)
})

describe('[LIV-042] what is no bitmap is not read', () => {
  const good = encodeRoaring(runsOf([1, 2, 3, 70_000]))
  test.each([...good.keys()])('its first %d bytes', (length) =>
    expect(decodeRoaring(good.subarray(0, length), MOST)).toBeUndefined(),
  )

  test('more bytes behind it', () => {
    expect(decodeRoaring(Buffer.concat([good, Buffer.from([0])]), MOST)).toBeUndefined()
  })

  test.each<[what: string, bytes: number[]]>([
    ['another cookie', [0x3c, 0x30, 0, 0, 0, 0, 0, 0]],
    ['more containers than there are', [0x3a, 0x30, 0, 0, 0xff, 0xff, 0xff, 0xff]],
    ['an array that falls', [0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 16, 0, 0, 0, 5, 0, 4, 0]],
    ['an array with a number twice', [0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 16, 0, 0, 0, 5, 0, 5, 0]],
    ['a run beyond its container', [0x3b, 0x30, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0xff, 0xff, 2, 0]],
    ['a run of another length than stated', [0x3b, 0x30, 0, 0, 1, 0, 0, 9, 0, 1, 0, 1, 0, 2, 0]],
    ['runs that overlap', [0x3b, 0x30, 0, 0, 1, 0, 0, 3, 0, 2, 0, 1, 0, 1, 0, 2, 0, 1, 0]],
    [
      'containers that fall',
      [0x3a, 0x30, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 26, 0, 0, 0, 5, 0, 5, 0],
    ],
  ])('%s', (_, bytes) => expect(decodeRoaring(Buffer.from(bytes), MOST)).toBeUndefined())

  test('random bytes, without an error', () => {
    let seed = 1
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed & 0xff
    }
    for (let round = 0; round < 2_000; round++) {
      const start =
        [
          [0x3a, 0x30, 0, 0],
          [0x3b, 0x30, next() & 3, 0],
        ][round & 1] ?? []
      const bytes = Buffer.from([...start, ...Array.from({ length: next() & 63 }, next)])
      expect(() => decodeRoaring(bytes, MOST)).not.toThrow()
    }
  })

  test('more runs than allowed, however few bytes', () => {
    const many = encodeRoaring(runsOf(range(0, 20_000, 2)))
    expect(decodeRoaring(many, 10_000)).toBeUndefined()
    expect(decodeRoaring(many, 10_001)).toHaveLength(10_001)
  })

  test('billions of numbers in a kilobyte take no time', () => {
    const all = encodeRoaring([[0, 2 ** 32 - 1]])
    const begun = performance.now()
    expect(decodeRoaring(all, 10)).toEqual([[0, 2 ** 32 - 1]])
    expect(performance.now() - begun).toBeLessThan(1_000)
  })
})

const python = pythonWith('pyroaring')

describe.skipIf(python === undefined)('[LIV-042] pyroaring', () => {
  const run = (script: string, input: string) =>
    execFileSync(python ?? 'python3', ['-c', `import base64, json, sys\nfrom pyroaring import BitMap\n${script}`], {
      input,
      maxBuffer: 1 << 28,
    }).toString()

  test.each(sets)('reads what is written here: %s', (_, numbers) => {
    const script = 'print(json.dumps(list(BitMap.deserialize(base64.b64decode(sys.stdin.read())))))'
    expect(JSON.parse(run(script, encoded(runsOf(numbers))))).toEqual(numbers)
  })

  test.each(sets)('writes what is read here: %s', (_, numbers) => {
    for (const optimize of ['', 'one.run_optimize()']) {
      const script = `one = BitMap(json.load(sys.stdin))\n${optimize}\nprint(base64.b64encode(one.serialize()).decode())`
      expect(decoded(run(script, JSON.stringify(numbers)).trim())).toEqual(runsOf(numbers))
    }
  })
})
