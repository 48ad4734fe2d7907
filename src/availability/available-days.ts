import type { Database } from '../db/database.ts'
import { dateIn, daysLater, startOfDay } from '../time/zone.ts'
import { type AvailableTime, timesOneByOne } from './available-times.ts'
import { batches, busyFor, MOST_IN_BATCH, type Search, sessionTimes } from './find-available-times.ts'
import type { Plan } from './plan.ts'
import type { Span } from './spans.ts'
import { daysWithin } from './working-hours.ts'

/** A day as bookings leave it. */
export interface AvailableDay {
  /** `YYYY-MM-DD` */
  date: string
  /** Its times, the earliest first; each is reckoned only when it is asked for. */
  times(): IteratorObject<AvailableTime>
}

/**
 * The days of the range, whether or not they have times. What is taken is read for all of them; who only wants to know
 * whether a day is free has no more of it reckoned than up to the first time that will do.
 */
export async function availableDays(db: Database, plan: Plan, search: Search): Promise<AvailableDay[]> {
  const { range, party, now } = search
  if (plan.service.type === 'group') return daysOfSessions(plan, await sessionTimes(db, plan, search))
  const days: AvailableDay[] = []
  for (const part of batches(plan, range, MOST_IN_BATCH)) {
    const busy = await busyFor(db, plan, part, now)
    for (const date of daysWithin(plan.zone, part)) {
      const own = withinDay(plan.zone, date, part)
      days.push({ date, times: () => timesOneByOne(plan, busy, own, party) })
    }
  }
  return days
}

const daysOfSessions = ({ zone }: Plan, sessions: AvailableTime[]): AvailableDay[] =>
  [...Map.groupBy(sessions, ({ start }) => dateIn(zone, start))].map(([date, times]) => ({
    date,
    times: () => times.values(),
  }))

const withinDay = (zone: string, date: string, [from, to]: Span): Span => [
  Math.max(from, startOfDay(zone, date)),
  Math.min(to, startOfDay(zone, daysLater(date, 1))),
]
