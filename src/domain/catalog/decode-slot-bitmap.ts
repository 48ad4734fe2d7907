import { secondsOf } from '../../infra/time/time-units.ts'
import { decodeRoaring } from '../../infra/util/decode-roaring-bitmap.ts'
import type { Run } from '../../infra/util/encode-roaring-bitmap.ts'
import type { AvailabilitySlotBitmap } from '../../protocol/types.generated.ts'

/**
 * The decoded bitmap of an availability hint (a summary of the free times of a service). All times are in milliseconds.
 */
export interface SlotRuler {
  duration: number
  /** The time of index 0 in the bitmap, in milliseconds since 1970. Each index is a possible start of a booking. */
  from: number
  interval: number
  count: number
  /** Ranges of indexes in the bitmap. Each index in a range stands for a free start. */
  open: Run[]
}

export const ENCODING = 'roaring32-portable-base64'

/**
 * Limits for a bitmap that another business sends. It may have at most this many runs of consecutive free starts, and
 * at most this many possible starts.
 */
export const MOST_RUNS = 1_024
const MOST_STARTS = 2 ** 32

/**
 * Decodes a bitmap of an availability hint (a summary of free times). Returns undefined if the bitmap is malformed, or
 * has too many runs of consecutive bits.
 */
export function rulerOf(bitmap: AvailabilitySlotBitmap): SlotRuler | undefined {
  const { slot_count: count, encoding, bitmap: text } = bitmap
  const [duration, interval] = [secondsOf(bitmap.duration) * 1000, secondsOf(bitmap.start_interval) * 1000]
  const from = Date.parse(bitmap.starts_at)
  if (encoding !== ENCODING || !Number.isInteger(count) || count < 1 || count > MOST_STARTS) return undefined
  if (![duration, interval, from].every(Number.isSafeInteger) || duration <= 0 || interval <= 0) return undefined
  if (!isInstant(from + count * interval)) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Node.js ignores invalid base64 characters. To detect them, the server encodes the decoded bytes again, and compares
  // the result with the text.
  if (bytes.toString('base64') !== text) return undefined
  const open = decodeRoaring(bytes, MOST_RUNS)
  return open && (open.at(-1)?.[1] ?? 0) < count ? { duration, from, interval, count, open } : undefined
}

/**
 * Whether this instant is before the last day of the year 9999. The server ignores a bitmap with later instants,
 * because their years can have more than four digits.
 */
const isInstant = (instant: number): boolean => instant < Date.parse('9999-12-31T00:00:00Z')

export const startAt = ({ from, interval }: Pick<SlotRuler, 'from' | 'interval'>, index: number): number =>
  from + index * interval

/** The first free start in the bitmap at or after the instant `from`. */
export function firstFreeStart(ruler: SlotRuler, from: number): number | undefined {
  const index = Math.ceil((from - ruler.from) / ruler.interval)
  const run = ruler.open.find(([, last]) => last >= index)
  return run && startAt(ruler, Math.max(run[0], index))
}
