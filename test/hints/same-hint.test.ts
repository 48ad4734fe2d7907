import { describe, expect, test } from 'vitest'
import { isSameHint } from '../../src/domain/availability/hints/compare-hints.ts'
import { firstFreeStart, rulerOf, startAt } from '../../src/domain/catalog/decode-slot-bitmap.ts'
import type { AvailabilityHint, AvailabilitySlotBitmap } from '../../src/protocol/types.generated.ts'
import { ruler } from '../registry/hints.ts'

/** The example of the published protocol. */
const example: AvailabilitySlotBitmap = {
  duration: 'PT60M',
  starts_at: '2026-03-14T09:00:00-04:00',
  start_interval: 'PT30M',
  slot_count: 17,
  encoding: 'roaring32-portable-base64',
  bitmap: 'OjAAAAEAAAAAAAcAEAAAAAAAAQACAAYACgAOAA8AEAA=',
}

describe('a ruler', () => {
  test('[LIV-042] bit i stands for starts_at + i × start_interval', () => {
    const decoded = rulerOf(example)
    if (!decoded) throw new Error('The example cannot be read')
    const starts = decoded.open.flatMap(([first, last]) => [startAt(decoded, first), startAt(decoded, last)])
    const local = starts.map((start) => new Date(start - 4 * 3_600_000).toISOString().slice(11, 16))
    expect(local).toEqual(['09:00', '10:00', '12:00', '12:00', '14:00', '14:00', '16:00', '17:00'])
  })

  test('[LIV-042] instants count and not the clock: the day of a clock change has 23 hours', () => {
    const decoded = rulerOf({
      ...example,
      starts_at: '2026-03-08T00:00:00-05:00',
      start_interval: 'PT1H',
      slot_count: 24,
    })
    if (!decoded) throw new Error('The ruler cannot be read')
    expect(new Date(startAt(decoded, 23)).toISOString()).toBe('2026-03-09T04:00:00.000Z')
    const same = rulerOf({ ...example, starts_at: '2026-03-08T05:00:00Z', start_interval: 'PT60M', slot_count: 24 })
    expect(same).toEqual(decoded)
  })

  test('[LIV-044] has its own step, whatever the booking window says', () => {
    const coarse = rulerOf({ ...example, start_interval: 'PT2H' })
    expect(coarse && firstFreeStart(coarse, Date.parse('2026-03-14T13:00:01Z'))).toBe(
      Date.parse('2026-03-14T15:00:00Z'),
    )
  })

  test.each<[what: string, change: Partial<AvailabilitySlotBitmap>]>([
    ['an index that is not below slot_count', { slot_count: 16 }],
    ['another encoding', JSON.parse('{"encoding":"base64"}')],
    ['base64 of URLs', { bitmap: 'OjAAAAEAAAAAAAcAEAAAAAAAAQACAAYACgAOAA8AEAA' }],
    ['no start', { starts_at: 'soon' }],
    ['no step', { start_interval: 'PT0S' }],
    ['no duration', { duration: '' }],
    ['an end after all calendars', { start_interval: 'P9999Y', slot_count: 4_294_967_296 }],
  ])('[LIV-042] with %s is not read', (_, change) => expect(rulerOf({ ...example, ...change })).toBeUndefined())
})

describe('a hint', () => {
  const hint = (...slot_bitmaps: AvailabilitySlotBitmap[]): AvailabilityHint => ({
    summary: 'Free.',
    generated_at: '2026-11-20T07:00:00-05:00',
    next_available_date: '2026-11-20',
    slot_bitmaps,
  })
  const day = Date.parse('2026-11-20T05:00:00Z')
  const before = hint(
    ruler([
      [9, 12],
      [20, 20],
    ]),
  )

  test('[LIV-044] is the same with the same starts on another ruler', () => {
    const finer = ruler(
      [
        [0, 0],
        [2, 2],
        [4, 4],
        [6, 6],
        [22, 22],
      ],
      {
        starts_at: '2026-11-20T09:00:00-05:00',
        start_interval: 'PT30M',
        slot_count: 2_000,
      },
    )
    expect(isSameHint(before, hint(finer), day)).toBe(true)
  })

  test('is the same if only past starts changed, and another one if a coming one did', () => {
    const later = hint(
      ruler([
        [11, 12],
        [20, 20],
      ]),
    )
    expect(isSameHint(before, later, day + 11 * 3_600_000)).toBe(true)
    expect(isSameHint(before, later, day)).toBe(false)
  })

  test('is another one with another duration, sentence or day', () => {
    expect(
      isSameHint(
        before,
        hint(
          ruler(
            [
              [9, 12],
              [20, 20],
            ],
            { duration: 'PT90M' },
          ),
        ),
        day,
      ),
    ).toBe(false)
    expect(isSameHint(before, { ...before, summary: 'Full.' }, day)).toBe(false)
    expect(isSameHint(before, { ...before, next_available_date: '2026-11-21' }, day)).toBe(false)
  })
})
