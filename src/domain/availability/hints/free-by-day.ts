import type { Database } from '../../../infra/db/database.ts'
import { daysLater, startOfDay } from '../../../infra/time/zone.ts'
import { bookableRange } from '../find-available-times.ts'
import type { Plan } from '../plan.ts'
import { countByChoice } from './count-by-choice.ts'
import { countClasses } from './count-classes.ts'
import type { HintRun } from './hint-run.ts'
import { type Day, sumParts } from './parts-of-days.ts'

export async function freeByDay(
  db: Database,
  plan: Plan,
  { from, length, now }: { from: string; length: number; now: Date },
  go: HintRun,
): Promise<Day[]> {
  const { zone } = plan
  const range = bookableRange(plan, [startOfDay(zone, from), startOfDay(zone, daysLater(from, length))], now)
  if (range[0] >= range[1]) return []
  const isClass = plan.service.type === 'group'
  const shares = isClass
    ? [await countClasses(db, plan, { range, now }, go)]
    : await countByChoice(db, plan, { range, now }, go)
  const byDate = Map.groupBy(
    shares.flatMap((share) => [...share]),
    ([date]) => date,
  )
  return [...byDate]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, days]) => ({ date, parts: sumParts(days.map(([, parts]) => parts)) }))
}
