import type { Database } from '../../infra/db/database.ts'
import { dateIn } from '../../infra/time/zone.ts'
import { byTurns } from '../../infra/util/long-work.ts'
import { availableOf, availableTime, type OpenTime } from './available-times.ts'
import { busyByDay } from './busy-by-day.ts'
import { type Search, sessionTimes } from './find-available-times.ts'
import type { Plan } from './plan.ts'
import { scheduledOneByOne } from './scheduled-times.ts'

/** A day as bookings leave it. */
export interface AvailableDay {
  /** `YYYY-MM-DD` */
  date: string
  /** Whether it has a time that will do: no more is reckoned than up to the first. */
  some(fits: (time: OpenTime) => boolean): boolean
  /** Its times, the earliest first. */
  times(): Promise<OpenTime[]>
}

/** The days of the range, whether or not they have times. */
export async function* availableDays(db: Database, plan: Plan, search: Search): AsyncIterable<AvailableDay> {
  const { party } = search
  if (plan.service.type === 'group') return yield* daysOfSessions(plan, await sessionTimes(db, plan, search))
  for await (const { date, range, busy } of busyByDay(db, plan, search))
    yield {
      date,
      some: (fits) => availableOf(scheduledOneByOne(plan, range), plan, busy, party).some(fits),
      async times() {
        const times = await byTurns(scheduledOneByOne(plan, range), (one) => availableTime(plan, busy, one, party))
        return times.filter((time) => time !== undefined)
      },
    }
}

const daysOfSessions = ({ zone }: Plan, sessions: OpenTime[]): AvailableDay[] =>
  [...Map.groupBy(sessions, ({ start }) => dateIn(zone, start))].map(([date, times]) => ({
    date,
    some: (fits) => times.some(fits),
    times: async () => times,
  }))
