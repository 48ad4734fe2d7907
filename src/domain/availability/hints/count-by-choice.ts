import type { Database } from '../../../infra/db/database.ts'
import { occupancyByDay } from '../available-days.ts'
import { availableTime } from '../available-times.ts'
import { generateScheduledTimes } from '../generate-scheduled-times.ts'
import type { Occupancy } from '../occupancy.ts'
import type { Plan } from '../plan.ts'
import { type ChoiceGroup, groupedChoices } from '../resource-choices.ts'
import type { Span } from '../spans.ts'
import { basisOf, type HintRun, onlySelectable } from './counted-choices.ts'
import { addCount, type PartsOfDays } from './parts-of-days.ts'

/** The key of the count of all times together. Used if buyers choose no resource, or several resources. */
const ALL_CHOICES = ''

/**
 * Counts the free times of each selectable resource. Skips a resource if this run has already counted its times for
 * another service with the same basis (see `basisOf`).
 */
export async function countByChoice(
  db: Database,
  plan: Plan,
  { range, now }: { range: Span; now: Date },
  { counted, pace }: HintRun,
): Promise<PartsOfDays[]> {
  const basis = basisOf(plan, range)
  const ids = onlySelectable(plan)?.candidates.map(({ id }) => id) ?? [ALL_CHOICES]
  const known = ids.flatMap((id) => counted.get(`${basis} ${id}`) ?? [])
  const uncounted = new Map<string, PartsOfDays>(
    ids.filter((id) => !counted.has(`${basis} ${id}`)).map((id) => [id, new Map()]),
  )
  if (uncounted.size === 0) return known
  const narrowed = withOnly(plan, uncounted)
  const choices = groupedChoices(narrowed)
  for await (const { range: day, busy } of occupancyByDay(db, narrowed, { range, now }))
    await countDay(narrowed, { choices, busy, day, pace }, uncounted)
  for (const [id, days] of uncounted) counted.set(`${basis} ${id}`, days)
  return [...known, ...uncounted.values()]
}

function withOnly(plan: Plan, ids: ReadonlyMap<string, unknown>): Plan {
  const selectable = onlySelectable(plan)
  const requirements = plan.requirements.map((one) =>
    one === selectable ? { ...one, candidates: one.candidates.filter(({ id }) => ids.has(id)) } : one,
  )
  return { ...plan, requirements }
}

/**
 * Adds the times of one day to the counts. Does not use the cache of scheduled times, because this count would evict
 * the times that callers need.
 */
async function countDay(
  plan: Plan,
  { choices, busy, day, pace }: Pick<HintRun, 'pace'> & { choices: ChoiceGroup[]; busy: Occupancy; day: Span },
  counts: ReadonlyMap<string, PartsOfDays>,
): Promise<void> {
  const isAlone = onlySelectable(plan) !== undefined
  for (const scheduled of generateScheduledTimes(plan, day, choices)) {
    if (pace.isUsed()) await pace.rest()
    const time = availableTime(plan, busy, scheduled, 1)
    const days = counts.get((isAlone && scheduled.picks[0]) || ALL_CHOICES)
    if (days)
      addCount(days, plan.zone, scheduled.start, { all: 1, free: time && time.capacity?.remaining !== 0 ? 1 : 0 })
  }
}
