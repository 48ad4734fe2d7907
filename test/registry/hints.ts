import { encodeRoaring, type Run } from '../../src/infra/util/encode-roaring-bitmap.ts'
import type { AvailabilityHint, AvailabilitySlotBitmap } from '../../src/protocol/types.generated.ts'
import { START } from '../support/server.ts'

const HOUR = 3_600_000
/** Midnight in New York before the time of the tests. */
const FROM = Date.parse('2026-11-20T05:00:00Z')
const HOURS = 56 * 24

export const ruler = (open: Run[], more: Partial<AvailabilitySlotBitmap> = {}): AvailabilitySlotBitmap => ({
  duration: 'PT60M',
  starts_at: '2026-11-20T00:00:00-05:00',
  start_interval: 'PT1H',
  slot_count: HOURS,
  encoding: 'roaring32-portable-base64',
  bitmap: encodeRoaring(open).toString('base64'),
  ...more,
})

/** A hint with free starts at these local hours in New York, such as `2026-11-24T10`. */
export function freeAt(
  hours: readonly string[],
  more: Partial<AvailabilityHint> = {},
): { availability_hint: AvailabilityHint } {
  const indexes = hours
    .map((hour) => (Date.parse(`${hour}:00:00-05:00`) - FROM) / HOUR)
    .toSorted((one, other) => one - other)
  const [first] = hours.toSorted()
  return {
    availability_hint: {
      summary: hours.length > 0 ? `Free from ${first}.` : 'Fully booked.',
      generated_at: START.toISOString(),
      valid_until: '2027-01-15T00:00:00-05:00',
      ...(first && { next_available_date: first.slice(0, 10) }),
      slot_bitmaps: [ruler(indexes.map((index): Run => [index, index]))],
      ...more,
    },
  }
}

/** Free at noon of the day. */
export const freeOn = (date: string) => freeAt([`${date}T12`])
