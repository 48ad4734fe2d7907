import { describe, test } from 'vitest'
import { editBothSides } from './random-edits.ts'
import { kinds } from './writing-shop.ts'

const MINUTE = 60_000

describe.each(kinds)('[bookings in a CalDAV calendar] at $name', (kind) => {
  test.skipIf(kind.python === undefined).each([1, 2, 3, 4])(
    'random edits on both sides with seed %i, and many kills, end with both equal',
    (seed) => editBothSides(kind, { rounds: 40, seed }),
    20 * MINUTE,
  )
})
