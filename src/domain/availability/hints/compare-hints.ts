import { isDeepStrictEqual } from 'node:util'
import type { AvailabilityHint } from '../../../protocol/types.generated.ts'
import { rulerOf, type SlotRuler, startAt } from '../../catalog/decode-slot-bitmap.ts'

/**
 * Whether two availability hints (summaries of free times) have the same texts, and the same free starts at or after
 * the instant `from`. A day that only the new hint covers does not count as a difference.
 */
export function isSameHint(old: AvailabilityHint, hint: AvailabilityHint, from: number): boolean {
  if (old.summary !== hint.summary || old.next_available_date !== hint.next_available_date) return false
  const [before, after] = [rulersOf(old), rulersOf(hint)]
  if (!isDeepStrictEqual([...before.keys()], [...after.keys()])) return false
  return [...before].every(([duration, one]) => {
    const other = after.get(duration)
    const until = startAt(one, one.count - 1)
    return other !== undefined && isDeepStrictEqual(freeStarts(one, from, until), freeStarts(other, from, until))
  })
}

const rulersOf = ({ slot_bitmaps = [] }: AvailabilityHint): Map<string, SlotRuler> =>
  new Map(
    slot_bitmaps.flatMap((bitmap) => {
      const ruler = rulerOf(bitmap)
      return ruler ? [[bitmap.duration, ruler] as const] : []
    }),
  )

function freeStarts(ruler: SlotRuler, from: number, until: number): number[] {
  const starts: number[] = []
  for (const [first, last] of ruler.open)
    for (let index = first; index <= last; index++) {
      const start = startAt(ruler, index)
      if (start >= from && start <= until) starts.push(start)
    }
  return starts
}
