import { describe, test } from 'vitest'
import { bothSides, editBothSides } from './random-edits.ts'
import { kinds } from './writing-shop.ts'

const MINUTE = 60_000
const cases = kinds.flatMap((kind) => [1, 2, 3, 4].map((seed) => ({ kind, name: kind.name, seed })))

describe.each(cases)('[bookings in a CalDAV calendar] at $name, with seed $seed', ({ kind, seed }) => {
  describe.skipIf(kind.python === undefined)(`(needs Python with ${kind.name.toLowerCase()})`, async () => {
    const both = kind.python ? await bothSides(kind) : undefined
    if (!both) return test('is not installed', () => {})
    test(
      'random edits on both sides, and many kills, end with both equal',
      () => editBothSides(both, { rounds: 40, seed }),
      20 * MINUTE,
    )
  })
})
