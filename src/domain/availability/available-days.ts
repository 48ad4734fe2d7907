import type { Database } from '../../infra/db/database.ts'
import { dateIn } from '../../infra/time/zone.ts'
import { mapWithYields } from '../../infra/util/time-slice.ts'
import { availableOf, availableTime, type SearchedTime } from './available-times.ts'
import { type Search, sessionTimes } from './find-available-times.ts'
import { occupancyByDay } from './occupancy-by-day.ts'
import type { Plan } from './plan.ts'
import { scheduledLazily } from './scheduled-times.ts'

export interface AvailableDay {
  /** `YYYY-MM-DD` */
  date: string
  hasTime(fits: (time: SearchedTime) => boolean): boolean
  /** Earliest first. */
  times(): Promise<SearchedTime[]>
}

/** All days of the range. For classes, only the days that have a session. */
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
