import type { Database } from '../../infra/db/database.ts'
import { wholeDays } from '../../infra/time/zone.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/time-slice.ts'
import { sessionTimes } from './find-available-times.ts'
import type { ScheduledTime } from './generate-scheduled-times.ts'
import type { Plan } from './plan.ts'
import { scheduledLazily } from './scheduled-times.ts'

/** The capacity of a service on one day, regardless of bookings: places in classes, or times that do not overlap. */
export async function dailyCapacity(db: Database, plan: Plan, day: string, now: Date): Promise<number> {
  const range = wholeDays(plan.zone, day)
  if (plan.service.type !== 'group') {
    const times: ScheduledTime[] = []
    for (const time of scheduledLazily(plan, range)) {
      times.push(time)
      if (isTimeSliceUsed()) await yieldToEventLoop()
    }
    return countDisjointTimes(plan, times)
  }
  const sessions = await sessionTimes(db, plan, { range, party: 1, now })
  return sessions.reduce((sum, { capacity }) => sum + (capacity?.total ?? 0), 0)
}

/**
 * A chosen resource serves one booking at a time. With several selectable requirements, the scarcest one limits the result.
 */
function countDisjointTimes(plan: Plan, times: readonly ScheduledTime[]): number {
  const kinds = Math.max(1, times[0]?.picks.length ?? 0)
  const ofKinds = Array.from({ length: kinds }, (_, kind) => {
    const byPerson = Map.groupBy(times, ({ picks }) => picks[kind])
    return [...byPerson.values()].reduce((sum, ones) => sum + countConsecutive(plan, ones), 0)
  })
  return Math.min(...ofKinds)
}

/** Greedy count of consecutive times. Each time counts as often as the scarcest assignable requirement has candidates. */
function countConsecutive({ before, after }: Plan, times: readonly ScheduledTime[]): number {
  let [count, free] = [0, Number.NEGATIVE_INFINITY]
  for (const { start, end, working } of times.toSorted((one, other) => one.end - other.end)) {
    if (start - before < free) continue
    count += working.length === 0 ? 1 : Math.min(...working.map(({ length }) => length))
    free = end + after
  }
  return count
}
