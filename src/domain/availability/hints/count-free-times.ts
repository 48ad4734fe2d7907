import { sessionsBetween } from '../../../core/ledger/class-session-seats.ts'
import type { Database } from '../../../infra/db/database.ts'
import { bookableRange, timeOfSession } from '../find-available-times.ts'
import type { Plan } from '../service-scheduling-plan.ts'
import type { ChoiceTimes, HintRun } from './cached-free-time-counts.ts'
import { type CountedRange, countByChoice } from './count-times-by-resource.ts'
import { type HintDays, TimeCounter } from './free-and-full-time-counter.ts'
import { anyFree, type StartsByDuration } from './free-start-bits.ts'
import { type Day, sumParts } from './free-times-by-day-part.ts'

/** The numbers of free and full times of a service on the coming days, and the free starts of bookings. */
export interface CountedTimes {
  days: Day[]
  starts: StartsByDuration
}

export async function countTimes(
  db: Database,
  plan: Plan,
  { days, now }: { days: HintDays; now: Date },
  go: HintRun,
): Promise<CountedTimes> {
  const range = bookableRange(plan, [days.from, days.end], now)
  if (range[0] >= range[1]) return { days: [], starts: new Map() }
  const isClass = plan.service.type === 'group'
  const shares = isClass
    ? [await countClasses(db, plan, { days, range, now }, go)]
    : await countByChoice(db, plan, { days, range, now }, go)
  return { days: daysOf(shares), starts: startsOf(shares) }
}

function daysOf(shares: readonly ChoiceTimes[]): Day[] {
  const byDate = Map.groupBy(
    shares.flatMap(({ days }) => [...days]),
    ([date]) => date,
  )
  return [...byDate]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, days]) => ({ date, parts: sumParts(days.map(([, parts]) => parts)) }))
}

function startsOf(shares: readonly ChoiceTimes[]): StartsByDuration {
  const durations = new Set(shares.flatMap(({ starts }) => [...starts.keys()]))
  const starts: StartsByDuration = new Map()
  for (const duration of [...durations].sort((one, other) => one - other)) {
    const any = anyFree(shares.flatMap((share) => share.starts.get(duration) ?? []))
    if (any) starts.set(duration, any)
  }
  return starts
}

async function countClasses(
  db: Database,
  plan: Plan,
  { days, range: [from, to], now }: CountedRange,
  { pace }: HintRun,
): Promise<ChoiceTimes> {
  const counter = new TimeCounter(plan, days)
  for (const session of await sessionsBetween(db, plan.service.id, { from, to }, now)) {
    if (pace.isUsed()) await pace.rest()
    const { start, end, capacity } = timeOfSession(session)
    counter.add({ start, end }, { all: capacity.total, free: capacity.remaining })
  }
  return counter.counts()
}
