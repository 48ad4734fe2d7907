import type { Database } from '../../infra/db/database.ts'
import type { Busy } from './busy.ts'
import { busyFor, type Search } from './find-available-times.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { Span } from './spans.ts'
import { daysWithin, withinDays } from './working-hours.ts'

/** A day of a range, as far as it lies within, and what is taken then. */
interface BusyDay {
  /** `YYYY-MM-DD` */
  date: string
  range: Span
  busy: Busy
}

/** What is taken is read for so many days of somebody's at a time. */
const MOST_AT_ONCE = 2_000

/** What is taken on each day of the range. */
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
