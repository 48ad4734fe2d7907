import { dateIn, daysLater, startOfDay } from '../../../infra/time/time-zone.ts'
import type { AvailabilityHint } from '../../../protocol/types.generated.ts'
import { firstFreeStart, type SlotRuler, startAt } from '../../catalog/decode-slot-bitmap.ts'
import { usableHint } from './usable-availability-hint.ts'

/**
 * Placeholder dates for services without a known free day. Searches sort services by their next free day. With these
 * dates, services with unknown availability come after all real days, and fully booked services come last.
 */
export const DAYS_WITHOUT_OPENING = { unknown: '9999-12-30', full: '9999-12-31' } as const

/** The columns of the search index that rank services by their availability. */
export interface AvailabilityRanking {
  next_available_date: string
  ruler_from: number | null
  ruler_interval: number | null
  ruler_count: number | null
  /**
   * The free start times of the service, as positions in its list of possible start times. The column type in
   * PostgreSQL is `int8multirange`.
   */
  openings: string | null
  recount_at: string | null
}

const UNKNOWN: AvailabilityRanking = {
  next_available_date: DAYS_WITHOUT_OPENING.unknown,
  ruler_from: null,
  ruler_interval: null,
  ruler_count: null,
  openings: null,
  recount_at: null,
}

export function availabilityRanking(
  hint: AvailabilityHint | undefined,
  { timezone, now }: { timezone: string; now: Date },
): AvailabilityRanking {
  const usable = usableHint(hint, now.getTime())
  if (!usable) return UNKNOWN
  const { ruler, until } = usable
  const first = firstFreeStart(ruler, now.getTime())
  const date = first === undefined ? DAYS_WITHOUT_OPENING.full : dateIn(timezone, first)
  const dayEnds = first === undefined ? until : lastFreeStartOn(ruler, timezone, date) + 1
  return {
    next_available_date: date,
    ruler_from: ruler.from,
    ruler_interval: ruler.interval,
    ruler_count: ruler.count,
    openings: `{${ruler.open.map(([first, last]) => `[${first},${last + 1})`).join()}}`,
    recount_at: new Date(Math.min(until, dayEnds)).toISOString(),
  }
}

function lastFreeStartOn(ruler: SlotRuler, timezone: string, date: string): number {
  const end = Math.ceil((startOfDay(timezone, daysLater(date, 1)) - ruler.from) / ruler.interval) - 1
  const run = ruler.open.findLast(([first]) => first <= end)
  return startAt(ruler, Math.min(run?.[1] ?? end, end))
}
