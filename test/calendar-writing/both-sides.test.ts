import { describe, test } from 'vitest'
import { bothSides, editBothSides } from './random-edits.ts'
import { kinds } from './writing-shop.ts'

describe.each(kinds)('[bookings in a CalDAV calendar] at $name', (kind) => {
  describe.skipIf(kind.python === undefined)(`(needs Python with ${kind.name.toLowerCase()})`, async () => {
    const both = kind.python ? await bothSides(kind) : undefined
    if (!both) return test('is not installed', () => {})
    test('random edits on both sides, with kill -9 of either side in between, end with both equal', () =>
      editBothSides(both, { rounds: 5, seed: 53 }))
  })
})
