import type { Database } from '../../infra/db/database.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import { availableOf, availableTime, type SearchedTime } from './available-times.ts'
import { scheduledLazily } from './cached-scheduled-times.ts'
import { readOccupancy, type Search, sessionTimes } from './find-available-times.ts'
import type { Occupancy } from './resource-occupancy.ts'
import { type Plan, resourcesOf } from './service-scheduling-plan.ts'
import type { Span } from './time-spans.ts'
import { daysWithin, withinDays } from './working-hours-and-closures.ts'

export interface AvailableDay {
  /** The date of this day in the time zone of the business, as `YYYY-MM-DD`. */
  date: string
  hasTime(fits: (time: SearchedTime) => boolean): boolean
  /** The available times of this day, earliest first. */
  times(): Promise<SearchedTime[]>
}

/**
 * Yields each day of the searched range with its available times. For a class, the function yields only days with a
 * class session.
 */
export async function* availableDays(db: Database, plan: Plan, search: Search): AsyncIterable<AvailableDay> {
  const { party } = search
  if (plan.service.type === 'group') return yield* daysOfSessions(plan, await sessionTimes(db, plan, search))
  for await (const { date, range, busy } of occupancyByDay(db, plan, search))
    yield {
      date,
      hasTime: (fits) => availableOf(scheduledLazily(plan, range), plan, busy, party).some(fits),
      async times() {
        const times = await mapWithYields(scheduledLazily(plan, range), (one) => availableTime(plan, busy, one, party))
        return times.filter((time) => time !== undefined)
      },
    }
}

const daysOfSessions = ({ zone }: Plan, sessions: SearchedTime[]): AvailableDay[] =>
  [...Map.groupBy(sessions, ({ start }) => dateIn(zone, start))].map(([date, times]) => ({
    date,
    hasTime: (fits) => times.some(fits),
    times: async () => times,
  }))

interface DayOccupancy {
  /** The date of this day in the time zone of the business, as `YYYY-MM-DD`. */
  date: string
  range: Span
  busy: Occupancy
}

/**
 * One database query reads reserved times for at most this many pairs of one resource and one day. Example: 100
 * resources on 20 days.
 */
const MAX_RESOURCE_DAYS = 2_000

export async function* occupancyByDay(
  db: Database,
  plan: Plan,
  { range, ...search }: Pick<Search, 'range' | 'now' | 'except'>,
): AsyncIterable<DayOccupancy> {
  const dates = range[0] < range[1] ? daysWithin(plan.zone, range) : []
  const count = Math.max(1, Math.floor(MAX_RESOURCE_DAYS / Math.max(1, resourcesOf(plan).length)))
  for (let first = 0; first < dates.length; first += count) {
    const batch = dates.slice(first, first + count)
    const busy = await readOccupancy(db, plan, withinDays(plan.zone, batch, range), search)
    for (const date of batch) yield { date, range: withinDays(plan.zone, [date], range), busy }
  }
}
