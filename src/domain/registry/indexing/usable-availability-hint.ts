import type { AvailabilityHint } from '../../../protocol/types.generated.ts'
import { rulerOf, type SlotRuler, startAt } from '../../catalog/decode-slot-bitmap.ts'

/** The parts of an availability hint that a search uses to rank the service. */
export interface UsableHint {
  ruler: SlotRuler
  /**
   * The availability hint is valid until this instant, in milliseconds since 1970. Afterwards, the availability of the
   * service is unknown.
   */
  until: number
}

/**
 * Reads the bitmaps of an availability hint, which mark the free start times of a service. Returns the start times for
 * the shortest duration, each marked as free or not. The result is undefined if the hint has no bitmaps, has expired or
 * breaks a rule of the protocol.
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

  // The age of a hint does not count. A hint without `valid_until` is valid until its last start.
  const end = valid_until === undefined ? Number.POSITIVE_INFINITY : Date.parse(valid_until)
  const [ruler] = known.toSorted((one, other) => one.duration - other.duration)
  if (!ruler || !(end > Date.parse(generated_at))) return undefined
  const until = Math.min(end, startAt(ruler, ruler.count - 1) + 1)
  return now < until ? { ruler, until } : undefined
}
