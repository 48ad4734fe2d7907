import type { Database } from '../../infra/db/database.ts'
import { readOccupancy, type Search } from './find-available-times.ts'
import type { Occupancy } from './occupancy.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { Span } from './spans.ts'
import { daysWithin, withinDays } from './working-hours.ts'

interface DayOccupancy {
  /** `YYYY-MM-DD` */
  date: string
  range: Span
  busy: Occupancy
}

/** Limit of one database read: number of resources times number of days. */
const MAX_RESOURCE_DAYS = 2_000

export async function* occupancyByDay(
  db: Database,
  plan: Plan,
  { range, ...search }: Pick<Search, 'range' | 'now' | 'except'>,
): AsyncIterable<DayOccupancy> {
  const dates = range[0] < range[1] ? daysWithin(plan.zone, range) : []
  const count = Math.max(1, Math.floor(MAX_RESOURCE_DAYS / Math.max(1, resourcesOf(plan).length)))
  for (let first = 0; first < dates.length; first += count) {
    const some = dates.slice(first, first + count)
    const busy = await readOccupancy(db, plan, withinDays(plan.zone, some, range), search)
    for (const date of some) yield { date, range: withinDays(plan.zone, [date], range), busy }
  }
}
