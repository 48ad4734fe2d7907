import type { Database } from '../../../infra/db/database.ts'
import { occupancyByDay } from '../available-days.ts'
import { freeChoiceCheck } from '../available-times.ts'
import { generateScheduledTimes, type ScheduledTime } from '../generate-scheduled-times.ts'
import { type Choice, type ChoiceGroup, groupedChoices } from '../resource-choices.ts'
import type { Occupancy } from '../resource-occupancy.ts'
import type { Plan } from '../service-scheduling-plan.ts'
import type { Span } from '../time-spans.ts'
import { basisOf, type ChoiceTimes, type HintRun, onlySelectable } from './cached-free-time-counts.ts'
import { type HintDays, TimeCounter } from './free-and-full-time-counter.ts'

export interface CountedRange {
  days: HintDays
  /** The part of the coming days in which buyers can book now. */
  range: Span
  now: Date
}

/**
 * The cache key for one count of all choices together. The server uses this key if buyers choose no resource, or choose
 * several resources, such as a person and a room.
 */
const ALL_CHOICES = ''

/**
 * Counts the free and the full times of each person or room that buyers can choose. If the server has just counted the
 * same times for another service, it reuses the counts.
 */
export async function countByChoice(
  db: Database,
  plan: Plan,
  { days, range, now }: CountedRange,
  { counted, pace }: HintRun,
): Promise<ChoiceTimes[]> {
  const basis = basisOf(plan, range, days)
  const ids = onlySelectable(plan)?.candidates.map(({ id }) => id) ?? [ALL_CHOICES]
  const known = ids.flatMap((id) => counted.get(`${basis} ${id}`) ?? [])
  const others = new Map(
    ids.filter((id) => !counted.has(`${basis} ${id}`)).map((id) => [id, new TimeCounter(plan, days)]),
  )
  if (others.size === 0) return known
  const some = withOnly(plan, others)
  const groups = groupsOf(some)
  for await (const { range: day, busy } of occupancyByDay(db, some, { range, now }))
    await countDay(some, { groups, busy, day, pace }, others)
  const times = [...others].map(([id, counter]) => ({ id, counts: counter.counts() }))
  for (const { id, counts } of times) counted.set(`${basis} ${id}`, counts)
  return [...known, ...times.map(({ counts }) => counts)]
}

function withOnly(plan: Plan, ids: ReadonlyMap<string, unknown>): Plan {
  const alone = onlySelectable(plan)
  const requirements = plan.requirements.map((one) =>
    one === alone ? { ...one, candidates: one.candidates.filter(({ id }) => ids.has(id)) } : one,
  )
  return { ...plan, requirements }
}

/**
 * Choices of people or rooms, grouped by their times. All choices of a group have the same times, such as staff members
 * with the same working hours. `alike` contains each group with only one of its choices.
 */
interface Groups {
  alike: ChoiceGroup[]
  choicesOf(time: ScheduledTime): readonly Choice[]
}

/**
 * Groups choices of people or rooms that have the same times, so that the server computes the times of a group once.
 * Usually, many staff members work in the same few shifts.
 */
function groupsOf(plan: Plan): Groups {
  const all = groupedChoices(plan)
  const byPlace = new Map(
    [...Map.groupBy(all, ({ location }) => location)].map(([location, groups]) => {
      // A scheduled time and its resource choice refer to the same array object of picked ids. Therefore this array
      // object can be the key of a map.
      const byPicks = new Map(groups.map(({ choices }) => [choices[0]?.picks, choices]))
      return [location, byPicks] as const
    }),
  )
  return {
    alike: all.map((group) => ({ ...group, choices: group.choices.slice(0, 1) })),
    choicesOf: ({ location, picks }) => byPlace.get(location)?.get(picks) ?? [],
  }
}

/**
 * Counts the free and the full times of one day. The function does not use the cache of scheduled times. Otherwise, its
 * many times would evict the cached times that calls need.
 */
async function countDay(
  plan: Plan,
  { groups, busy, day, pace }: Pick<HintRun, 'pace'> & { groups: Groups; busy: Occupancy; day: Span },
  counters: ReadonlyMap<string, TimeCounter>,
): Promise<void> {
  const isAlone = onlySelectable(plan) !== undefined
  for (const scheduled of generateScheduledTimes(plan, day, groups.alike)) {
    if (pace.isUsed()) await pace.rest()
    const isFree = freeChoiceCheck(plan, busy, scheduled)
    for (const { chosen, picks } of groups.choicesOf(scheduled)) {
      const counter = counters.get((isAlone && picks[0]) || ALL_CHOICES)
      counter?.add(scheduled, { all: 1, free: isFree(chosen) ? 1 : 0 })
    }
  }
}
