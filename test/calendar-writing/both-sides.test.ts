import { describe, test } from 'vitest'
import { editBothSides } from './random-edits.ts'
import { kinds } from './writing-shop.ts'

describe.each(kinds)('[bookings in a CalDAV calendar] at $name', (kind) => {
  test.skipIf(kind.python === undefined)(
    'random edits on both sides, with kill -9 of either side in between, end with both equal',
    () => editBothSides(kind, { rounds: 5, seed: 53 }),
  )
})
