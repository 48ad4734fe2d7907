import type { Database } from '../../infra/db/database.ts'
import type { Busy } from './busy.ts'
import { busyFor, type Search } from './find-available-times.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { Span } from './spans.ts'
import { daysWithin, withinDays } from './working-hours.ts'

interface BusyDay {
  /** `YYYY-MM-DD` */
  date: string
  range: Span
  busy: Busy
}

/** Limit of one database read: number of resources times number of days. */
const MOST_AT_ONCE = 2_000

export async function* busyByDay(
  db: Database,
  plan: Plan,
  { range, ...search }: Pick<Search, 'range' | 'now' | 'except'>,
): AsyncIterable<BusyDay> {
  const dates = range[0] < range[1] ? daysWithin(plan.zone, range) : []
  const count = Math.max(1, Math.floor(MOST_AT_ONCE / Math.max(1, resourcesOf(plan).length)))
  for (let first = 0; first < dates.length; first += count) {
    const some = dates.slice(first, first + count)
    const busy = await busyFor(db, plan, withinDays(plan.zone, some, range), search)
    for (const date of some) yield { date, range: withinDays(plan.zone, [date], range), busy }
  }
}
