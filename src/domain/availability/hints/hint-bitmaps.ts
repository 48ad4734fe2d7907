import { DAY, SECOND } from '../../../infra/time/time-units.ts'
import { rfc3339 } from '../../../infra/time/time-zone.ts'
import { encodeRoaring, type Run } from '../../../infra/util/encode-roaring-bitmap.ts'
import type { AvailabilitySlotBitmap } from '../../../protocol/types.generated.ts'
import { ENCODING } from '../../catalog/decode-slot-bitmap.ts'
import type { Plan } from '../service-scheduling-plan.ts'
import { isoDuration } from '../time-slot-response.ts'
import { type FreeStarts, type StartsByDuration, startsIn } from './free-start-bits.ts'

/**
 * The time spans that the bitmaps of an availability hint (a summary of free times) can cover, in seconds. The server
 * uses the longest span with which the hint is small enough.
 */
const HORIZONS = [56, 42, 28, 21, 14, 7].map((days) => (days * DAY) / SECOND)

export interface HintBitmaps {
  bitmaps: AvailabilitySlotBitmap[]
  /** The first free start in the bitmaps, in milliseconds. */
  firstFree: number | undefined
}

/**
 * Makes one bitmap of free starts for each duration of the service. All bitmaps together have at most `most` characters
 * of JSON. If the bitmaps are too large, they cover fewer days. If the bitmaps of one week are still too large, the
 * server omits the longest durations.
 */
export function hintBitmaps(
  plan: Pick<Plan, 'zone' | 'interval' | 'byTheDay'>,
  starts: StartsByDuration,
  { midnight, most }: { midnight: number; most: number },
): HintBitmaps {
  const begin = Math.min(...[...starts.values()].map(({ first }) => first))
  let rulers: Ruler[] = []
  for (const horizon of HORIZONS) {
    rulers = [...starts].flatMap(([duration, one]) => rulerUntil(begin + horizon, duration, one, plan.interval))
    if (lengthOf(plan, rulers, midnight) <= most) break
  }
  while (rulers.length > 1 && lengthOf(plan, rulers, midnight) > most) rulers.pop()
  const free = rulers.flatMap(({ first, interval, open }) =>
    open.slice(0, 1).map(([index]) => first + index * interval),
  )
  return {
    bitmaps: rulers.map((ruler) => bitmapOf(plan, ruler, midnight)),
    firstFree: free.length > 0 ? midnight + Math.min(...free) * SECOND : undefined,
  }
}

/**
 * The possible starts of bookings of one duration, at equal steps. `duration` is in milliseconds; `first` and
 * `interval` are in seconds.
 */
interface Ruler {
  duration: number
  first: number
  interval: number
  count: number
  open: Run[]
}

function rulerUntil(end: number, duration: number, starts: FreeStarts, usualInterval: number): Ruler[] {
  const { first, last, spread } = starts
  if (first >= end) return []
  const interval = spread || usualInterval / SECOND
  const count = Math.floor((Math.min(last, end - 1) - first) / interval) + 1
  return [{ duration, first, interval, count, open: runsOf(starts, { first, interval, count }) }]
}

function runsOf(starts: FreeStarts, { first, interval, count }: Pick<Ruler, 'first' | 'interval' | 'count'>): Run[] {
  const runs: Run[] = []
  for (const start of startsIn(starts)) {
    const index = (start - first) / interval
    if (index >= count) break
    const before = runs.at(-1)
    if (before && before[1] + 1 === index) runs[runs.length - 1] = [before[0], index]
    else runs.push([index, index])
  }
  return runs
}

const lengthOf = (plan: Pick<Plan, 'zone' | 'byTheDay'>, rulers: Ruler[], midnight: number): number =>
  JSON.stringify(rulers.map((ruler) => bitmapOf(plan, ruler, midnight))).length

const bitmapOf = (
  { zone, byTheDay }: Pick<Plan, 'zone' | 'byTheDay'>,
  { duration, first, interval, count, open }: Ruler,
  midnight: number,
): AvailabilitySlotBitmap => ({
  duration: byTheDay && duration % DAY === 0 ? `P${duration / DAY}D` : isoDuration(duration),
  starts_at: rfc3339(zone, midnight + first * SECOND),
  start_interval: isoDuration(interval * SECOND),
  slot_count: count,
  encoding: ENCODING,
  bitmap: encodeRoaring(open).toString('base64'),
})
