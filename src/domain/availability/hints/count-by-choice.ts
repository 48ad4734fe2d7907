import type { Database } from '../../../infra/db/database.ts'
import { availableTime } from '../available-times.ts'
import type { Busy } from '../busy.ts'
import { busyByDay } from '../busy-by-day.ts'
import { type AlikeChoices, groupedChoices } from '../choices.ts'
import type { Plan } from '../plan.ts'
import { scheduledInOrder } from '../scheduled-in-order.ts'
import type { Span } from '../spans.ts'
import { basisOf, chosenAlone } from './counted-choices.ts'
import type { Go } from './go.ts'
import { addCount, type PartsOfDays } from './parts-of-days.ts'

/** Where nobody is chosen, or several are, all times are counted as those of one. */
const ALL = ''

/** The times with each of those who can be chosen, reckoned only of those with whom they were not counted before. */
export async function countByChoice(
  db: Database,
  plan: Plan,
  { range, now }: { range: Span; now: Date },
  { counted, pace }: Go,
): Promise<PartsOfDays[]> {
  const basis = basisOf(plan, range)
  const ids = chosenAlone(plan)?.candidates.map(({ id }) => id) ?? [ALL]
  const known = ids.flatMap((id) => counted.get(`${basis} ${id}`) ?? [])
  const others = new Map<string, PartsOfDays>(
    ids.filter((id) => !counted.has(`${basis} ${id}`)).map((id) => [id, new Map()]),
  )
  if (others.size === 0) return known
  const some = withOnly(plan, others)
  const choices = groupedChoices(some)
  for await (const { range: day, busy } of busyByDay(db, some, { range, now }))
    await countDay(some, { choices, busy, day, pace }, others)
  for (const [id, days] of others) counted.set(`${basis} ${id}`, days)
  return [...known, ...others.values()]
}

function withOnly(plan: Plan, ids: ReadonlyMap<string, unknown>): Plan {
  const alone = chosenAlone(plan)
  const requirements = plan.requirements.map((one) =>
    one === alone ? { ...one, candidates: one.candidates.filter(({ id }) => ids.has(id)) } : one,
  )
  return { ...plan, requirements }
}

/** Not out of what is kept for those who ask, who would find nothing else there. */
async function countDay(
  plan: Plan,
  { choices, busy, day, pace }: Pick<Go, 'pace'> & { choices: AlikeChoices[]; busy: Busy; day: Span },
  counts: ReadonlyMap<string, PartsOfDays>,
): Promise<void> {
  const isAlone = chosenAlone(plan) !== undefined
  for (const scheduled of scheduledInOrder(plan, day, choices)) {
    if (pace.isUsed()) await pace.rest()
    const time = availableTime(plan, busy, scheduled, 1)
    const days = counts.get((isAlone && scheduled.picks[0]) || ALL)
    if (days)
      addCount(days, plan.zone, scheduled.start, { all: 1, free: time && time.capacity?.remaining !== 0 ? 1 : 0 })
  }
}
