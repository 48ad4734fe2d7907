import type { Database } from '../db/database.ts'
import { dateIn } from '../time/zone.ts'
import { type AvailableTime, availableOf, availableTimes } from './available-times.ts'
import { busyFor, type Search, sessionTimes } from './find-available-times.ts'
import { type Plan, resourcesOf } from './plan.ts'
import { scheduledInAnyOrder } from './scheduled-times.ts'
import { daysWithin, withinDays } from './working-hours.ts'

/** A day as bookings leave it. */
export interface AvailableDay {
  /** `YYYY-MM-DD` */
  date: string
  /** Whether it has a time that will do: no more is reckoned than up to the first. */
  some(fits: (time: AvailableTime) => boolean): boolean
  /** Its times, the earliest first. */
  times(): AvailableTime[]
}

/** What is taken is read for so many days of somebody's at a time. */
const MOST_AT_ONCE = 2_000

/** The days of the range, whether or not they have times. */
export async function* availableDays(db: Database, plan: Plan, search: Search): AsyncIterable<AvailableDay> {
  const { range, party } = search
  if (plan.service.type === 'group') return yield* daysOfSessions(plan, await sessionTimes(db, plan, search))
  const dates = range[0] < range[1] ? daysWithin(plan.zone, range) : []
  const count = Math.max(1, Math.floor(MOST_AT_ONCE / Math.max(1, resourcesOf(plan).length)))
  for (let first = 0; first < dates.length; first += count) {
    const some = dates.slice(first, first + count)
    const busy = await busyFor(db, plan, withinDays(plan.zone, some, range), search)
    for (const date of some) {
      const own = withinDays(plan.zone, [date], range)
      yield {
        date,
        some: (fits) => availableOf(scheduledInAnyOrder(plan, own), plan, busy, party).some(fits),
        times: () => availableTimes(plan, busy, own, party),
      }
    }
  }
}

const daysOfSessions = ({ zone }: Plan, sessions: AvailableTime[]): AvailableDay[] =>
  [...Map.groupBy(sessions, ({ start }) => dateIn(zone, start))].map(([date, times]) => ({
    date,
    some: (fits) => times.some(fits),
    times: () => times,
  }))
