import type { Members } from '../../caller/answer.ts'

const HOUR_MS = 3_600_000
/** The number of hours that a hint covers: four weeks. */
const HOURS = 672

/** Returns an availability hint for a service that is free in these hours, counted from now. */
export function hintOf(hours: number[]): Members {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const at = (hour: number) => new Date(now + hour * HOUR_MS).toISOString()
  return {
    summary: 'Free at some hours.',
    generated_at: at(0),
    valid_until: at(48),
    // All businesses of the suite have the timezone Europe/Vienna.
    next_available_date: new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Vienna' }).format(
      new Date(now + Math.min(...hours) * HOUR_MS),
    ),
    slot_bitmaps: [
      {
        duration: 'PT60M',
        starts_at: at(0),
        start_interval: 'PT60M',
        slot_count: HOURS,
        encoding: 'roaring32-portable-base64',
        bitmap: roaring(hours),
      },
    ],
  }
}

/**
 * Encodes numbers below 65536 as a portable Roaring bitmap in Base64. The bitmap has one container, which is a sorted
 * list.
 */
function roaring(numbers: number[]): string {
  const NO_RUN_COOKIE = 12_346
  const DATA_OFFSET = 16
  const buffer = Buffer.alloc(DATA_OFFSET + 2 * numbers.length)
  buffer.writeUInt32LE(NO_RUN_COOKIE, 0)
  buffer.writeUInt32LE(1, 4)
  buffer.writeUInt16LE(0, 8)
  buffer.writeUInt16LE(numbers.length - 1, 10)
  buffer.writeUInt32LE(DATA_OFFSET, 12)
  for (const [nth, number] of numbers.toSorted((a, b) => a - b).entries())
    buffer.writeUInt16LE(number, DATA_OFFSET + 2 * nth)
  return buffer.toString('base64')
}
