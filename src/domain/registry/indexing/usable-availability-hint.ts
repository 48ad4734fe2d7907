import { DAY } from '../../../infra/time/time-units.ts'
import type { AvailabilityHint } from '../../../protocol/types.generated.ts'
import { rulerOf, type SlotRuler, startAt } from '../../catalog/decode-slot-bitmap.ts'

/** How long an availability hint without `valid_until` is valid, in milliseconds. The time begins at `generated_at`. */
const USUALLY_VALID_MS = 7 * DAY

/** The parts of an availability hint that rank the service in a search. */
export interface UsableHint {
  ruler: SlotRuler
  /** The instant in milliseconds until which the availability hint is valid. After it, the availability is unknown. */
  until: number
}

/**
 * Reads the bitmaps of an availability hint, and returns the ruler of the shortest duration. Returns undefined if the
 * hint has no bitmaps, has expired, or breaks a rule of the protocol. The availability of the service then counts as
 * unknown.
 */
export function usableHint(hint: AvailabilityHint | undefined, now: number): UsableHint | undefined {
  const { slot_bitmaps = [], generated_at, valid_until, next_available_date } = hint ?? {}
  if (generated_at === undefined || slot_bitmaps.length === 0) return undefined
  const rulers = slot_bitmaps.map(rulerOf)
  const known = rulers.filter((ruler) => ruler !== undefined)
  const durations = new Set(known.map(({ duration }) => duration))
  if (known.length < rulers.length || durations.size < rulers.length) return undefined
  const hasFree = known.some(({ open }) => open.length > 0)
  if (hasFree !== (next_available_date !== undefined)) return undefined

  const made = Date.parse(generated_at)
  const end = valid_until === undefined ? made + USUALLY_VALID_MS : Date.parse(valid_until)
  const [ruler] = known.toSorted((one, other) => one.duration - other.duration)
  if (!ruler || !(end > made)) return undefined
  const until = Math.min(end, startAt(ruler, ruler.count - 1) + 1)
  return now < until ? { ruler, until } : undefined
}
