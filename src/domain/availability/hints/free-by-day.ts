import { sessionsBetween } from '../../../core/ledger/seats.ts'
import type { Database } from '../../../infra/db/database.ts'
import { daysLater, startOfDay } from '../../../infra/time/zone.ts'
import { bookableRange, timeOfSession } from '../find-available-times.ts'
import type { Plan } from '../plan.ts'
import type { Span } from '../spans.ts'
import { countByChoice } from './count-by-choice.ts'
import type { HintRun } from './counted-choices.ts'
import { addCount, type Day, type PartsOfDays, sumParts } from './parts-of-days.ts'

export async function freeByDay(
  db: Database,
  plan: Plan,
  { from, length, now }: { from: string; length: number; now: Date },
  run: HintRun,
): Promise<Day[]> {
  const { zone } = plan
  const range = bookableRange(plan, [startOfDay(zone, from), startOfDay(zone, daysLater(from, length))], now)
  if (range[0] >= range[1]) return []
  const isClass = plan.service.type === 'group'
  const shares = isClass
    ? [await countClasses(db, plan, { range, now }, run)]
    : await countByChoice(db, plan, { range, now }, run)
  const byDate = Map.groupBy(
    shares.flatMap((share) => [...share]),
    ([date]) => date,
  )
  return [...byDate]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, days]) => ({ date, parts: sumParts(days.map(([, parts]) => parts)) }))
}

async function countClasses(
  db: Database,
  { service, zone }: Plan,
  { range: [from, to], now }: { range: Span; now: Date },
  { pace }: HintRun,
): Promise<PartsOfDays> {
  const days: PartsOfDays = new Map()
  for (const session of await sessionsBetween(db, service.id, { from, to }, now)) {
    if (pace.isUsed()) await pace.rest()
    const { start, capacity } = timeOfSession(session)
    addCount(days, zone, start, { all: capacity.total, free: capacity.remaining })
  }
  return days
}
