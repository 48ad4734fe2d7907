import type { ResourceDefinition } from '../protocol/types.generated.ts'
import { wholeDays } from '../time/zone.ts'
import { canAssignDistinct } from './assign-distinct.ts'
import { commonWindows } from './common-windows.ts'
import { endOf } from './durations.ts'
import { takes } from './own-lengths.ts'
import type { Plan } from './plan.ts'
import { planCache } from './plan-cache.ts'
import { compareSortKeys, type SortKey, sortKeyOf } from './sort-key.ts'
import { intersection, type Span } from './spans.ts'
import { daysWithin, withinDays } from './working-hours.ts'
import { type WorkingTime, workingTimeAt } from './working-time.ts'

/** A time at which the place is open and everybody needed works, whether or not it is taken. */
export interface ScheduledTime {
  start: number
  end: number
  location: string | undefined
  /** Those that are chosen with the time. */
  picks: string[]
  chosen: ResourceDefinition[]
  /** For every other requirement those that work then. */
  working: ResourceDefinition[][]
}

/** The scheduled times of whole days, so many in all. They change only with the definition, so they need no expiry. */
const days = planCache<ScheduledTime[]>(200_000, ({ length }) => length + 1)

/** The scheduled times that begin within `range`, in the order in which they are listed. */
export const scheduledTimes = (plan: Plan, range: Span): ScheduledTime[] =>
  daysWithin(plan.zone, range).flatMap((day) => scheduledOn(plan, day, range))

function scheduledOn(plan: Plan, day: string, range: Span): ScheduledTime[] {
  const whole = wholeDays(plan.zone, day)
  const part = withinDays(plan.zone, [day], range)
  const known = days.get(plan, day)
  // A lookup of a single instant, as for one slot id, is not worth computing the whole day.
  if (!known && part[1] - part[0] === 1) return findScheduledTimes(plan, part)
  const found = known ?? findScheduledTimes(plan, whole)
  if (!known) days.set(plan, day, found)
  const isWhole = part[0] === whole[0] && part[1] === whole[1]
  return isWhole ? found : found.filter(({ start }) => part[0] <= start && start < part[1])
}

/** The same of one day in no order, each found only when it is asked for: enough to see whether there are any that will do. */
export function* scheduledInAnyOrder(plan: Plan, range: Span): Generator<ScheduledTime> {
  const [day = ''] = daysWithin(plan.zone, range)
  const known = days.get(plan, day)
  const whole = wholeDays(plan.zone, day)
  if (known) yield* known.filter(({ start }) => range[0] <= start && start < range[1])
  else if (range[0] === whole[0] && range[1] === whole[1]) yield* ofWholeDay(plan, day, whole)
  else yield* inAnyOrder(plan, range)
}

/** The first few of a day: mostly one of them will do, and a calendar asks it of the same days again and again. */
const few = planCache<ScheduledTime[]>(100_000, ({ length }) => length + 1)
const FEW = 32

function* ofWholeDay(plan: Plan, day: string, whole: Span): Generator<ScheduledTime> {
  const known = few.get(plan, day)
  const first = known ?? [...inAnyOrder(plan, whole).take(FEW)]
  if (!known) few.set(plan, day, first)
  yield* first
  if (first.length === FEW) yield* inAnyOrder(plan, whole).drop(FEW)
}

function* inAnyOrder(plan: Plan, range: Span): Generator<ScheduledTime> {
  for (const { times } of scheduledByChoice(plan, range)) yield* times
}

/** Whether it is one of those of this place. */
export const isAt = ({ locations }: ResourceDefinition, place: string | undefined): boolean =>
  locations?.includes(place ?? '') ?? true

/** Of those that begin and end together the choice decides: choices are sorted, and of the times only instants compared. */
const findScheduledTimes = (plan: Plan, range: Span): ScheduledTime[] =>
  [...scheduledByChoice(plan, range)]
    .sort((one, other) => compareSortKeys(one.key, other.key))
    .flatMap(({ times }) => [...times])
    .sort((one, other) => one.start - other.start || one.end - other.end)

/** The times with one after the other, or several, of those who can be chosen, and at one place after the other. */
interface TimesOfChoice {
  key: SortKey
  times: Iterable<ScheduledTime>
}

function* scheduledByChoice(plan: Plan, range: Span): Generator<TimesOfChoice> {
  const selectable = plan.requirements.filter((requirement) => requirement.selectable)
  const assigned = plan.requirements.filter((requirement) => !requirement.selectable)
  for (const location of plan.locations) {
    const workingTime = workingTimeAt(plan, range, location)
    const present = (candidates: ResourceDefinition[]) => candidates.filter((one) => isAt(one, location))
    for (const chosen of combinations(selectable.map(({ candidates }) => present(candidates)))) {
      if (new Set(chosen).size < chosen.length) continue
      const kinds = assigned.map(({ candidates }) => present(candidates).filter((one) => !chosen.includes(one)))
      yield {
        key: sortKeyOf({ start: 0, end: 0, location, picks: chosen.map(({ id }) => id) }),
        times: scheduledWith(plan, range, workingTime, { location, chosen, kinds }),
      }
    }
  }
}

/** Those who are there, of whom a time needs the chosen and one of each kind. */
interface Candidates {
  location: string | undefined
  chosen: ResourceDefinition[]
  kinds: ResourceDefinition[][]
}

function* scheduledWith(
  plan: Plan,
  range: Span,
  workingTime: WorkingTime,
  candidates: Candidates,
): Generator<ScheduledTime> {
  const { location, chosen, kinds } = candidates
  const picks = chosen.map(({ id }) => id)
  // Whoever has the same hours works at the same times: of each set of hours one is looked at.
  const ofHours = kinds.map((ones) => [...new Map(ones.map((one) => [workingTime.key(one), one])).values()])
  const durations = plan.durations.filter((duration) => chosen.every((one) => takes(plan, one, duration)))
  const kindsFor = new Map(durations.map((duration) => [duration, takingSoLong(plan, kinds, duration)]))
  for (const start of startsOf(plan, range, workingTime, { chosen, kinds: ofHours }))
    for (const [duration, kinds] of kindsFor) {
      const end = endOf(plan, start, duration)
      if (!workingTime.isOpen(start, end)) continue
      const works = (one: ResourceDefinition) => workingTime.isThere(one, start, end)
      if (!chosen.every(works)) continue
      const working = kinds.map((ones, kind) => {
        const away = new Set(ofHours[kind]?.filter((one) => !works(one)).map(workingTime.key))
        return away.size === 0 ? ones : ones.filter((one) => !away.has(workingTime.key(one)))
      })
      if (canAssignDistinct(working, ({ id }) => id)) yield { start, end, location, picks, chosen, working }
    }
}

/** Of each kind those with whom it takes so long. */
const takingSoLong = (plan: Plan, kinds: ResourceDefinition[][], duration: number) =>
  plan.lengths.size === 0 ? kinds : kinds.map((ones) => ones.filter((one) => takes(plan, one, duration)))

/** Starts step from the beginning of each window in which everybody needed is there. */
function startsOf(
  plan: Plan,
  range: Span,
  workingTime: WorkingTime,
  { chosen, kinds }: Pick<Candidates, 'chosen' | 'kinds'>,
): number[] {
  // What begins later has no start: of a rental for a year there is a year of it.
  const begun = (one: ResourceDefinition) => workingTime.begun(one, range)
  const open = workingTime.open.filter(([from]) => from < range[1])
  const together = chosen.reduce((spans, one) => intersection(spans, begun(one)), open)
  const starts = new Set<number>()
  const windows = commonWindows([together, ...kinds.map((ones) => ones.flatMap(begun))])
  for (const [from, to] of windows) {
    const skipped = Math.max(0, Math.ceil((range[0] - from) / plan.interval))
    for (let start = from + skipped * plan.interval; start < Math.min(to, range[1]); start += plan.interval)
      starts.add(start)
  }
  return [...starts].sort((one, other) => one - other)
}

function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((found, list) => found.flatMap((some) => list.map((one) => [...some, one])), [[]])
}
