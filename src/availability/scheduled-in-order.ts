import type { ResourceDefinition } from '../protocol/types.generated.ts'
import { canAssignDistinct } from './assign-distinct.ts'
import { type AlikeChoices, choicesOf } from './choices.ts'
import { commonWindows } from './common-windows.ts'
import { endOf } from './durations.ts'
import { takes } from './own-lengths.ts'
import type { Plan } from './plan.ts'
import { intersection, type Span } from './spans.ts'
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

/** The scheduled times that begin within the range, in the order in which they are listed, each found when it is asked for. */
export function* scheduledInOrder(plan: Plan, range: Span): Generator<ScheduledTime> {
  const places = new Map(plan.locations.map((location) => [location, workingTimeAt(plan, range, location)]))
  const starting = new Map<number, Alike[]>()
  for (const alike of choicesOf(plan)) {
    const workingTime = places.get(alike.location)
    if (!workingTime) continue
    const some = withOneOfEachHours(plan, alike, workingTime)
    // Not pushed: that makes room for sixteen more, and days are kept by the hundred.
    for (const start of startsOf(plan, range, some)) starting.set(start, (starting.get(start) ?? []).concat([some]))
  }
  for (const start of [...starting.keys()].sort((one, other) => one - other))
    yield* beginningAt(plan, start, starting.get(start) ?? [])
}

/** Choices that are alike, and what their times are reckoned from. */
interface Alike extends AlikeChoices {
  workingTime: WorkingTime
  /** Whoever has the same hours works at the same times: of each set of hours one is looked at. */
  ofHours: ResourceDefinition[][]
  kindsFor: [duration: number, kinds: ResourceDefinition[][]][]
}

function withOneOfEachHours(plan: Plan, alike: AlikeChoices, workingTime: WorkingTime): Alike {
  const { kinds, durations } = alike
  return {
    ...alike,
    workingTime,
    ofHours: kinds.map((ones) => [...new Map(ones.map((one) => [workingTime.key(one), one])).values()]),
    kindsFor: durations.map((duration) => [duration, takingSoLong(plan, kinds, duration)]),
  }
}

/** Of each kind those with whom it takes so long. */
const takingSoLong = (plan: Plan, kinds: ResourceDefinition[][], duration: number) =>
  plan.lengths.size === 0 ? kinds : kinds.map((ones) => ones.filter((one) => takes(plan, one, duration)))

function* beginningAt(plan: Plan, start: number, alike: Alike[]): Generator<ScheduledTime> {
  const together = alike.flatMap((some) => timesTogether(plan, start, some))
  const byEnd = [...Map.groupBy(together, ({ end }) => end)].sort(([one], [other]) => one - other)
  for (const [end, same] of byEnd) {
    const choices = same.flatMap(({ working, location, choices }) =>
      choices.map((choice) => ({ choice, location, working })),
    )
    if (same.length > 1) choices.sort((one, other) => one.choice.rank - other.choice.rank)
    for (const { choice, location, working } of choices)
      yield { start, end, location, picks: choice.picks, chosen: choice.chosen, working }
  }
}

/** The times that begin then with each of these choices, one of each length that there is time for. */
function timesTogether(
  plan: Plan,
  start: number,
  { chosen, kindsFor, ofHours, workingTime, location, choices }: Alike,
) {
  return kindsFor.flatMap(([duration, kinds]) => {
    const end = endOf(plan, start, duration)
    const works = (one: ResourceDefinition) => workingTime.isThere(one, start, end)
    if (!workingTime.isOpen(start, end) || !chosen.every(works)) return []
    const working = kinds.map((ones, kind) => {
      const away = new Set(ofHours[kind]?.filter((one) => !works(one)).map(workingTime.key))
      return away.size === 0 ? ones : ones.filter((one) => !away.has(workingTime.key(one)))
    })
    return canAssignDistinct(working, ({ id }) => id) ? [{ end, working, location, choices }] : []
  })
}

/** Starts step from the beginning of each window in which everybody needed is there. */
function startsOf(plan: Plan, range: Span, { chosen, ofHours, workingTime }: Alike): Set<number> {
  const begun = (one: ResourceDefinition) => workingTime.begun(one, range)
  const open = workingTime.open.filter(([from]) => from < range[1])
  const together = chosen.reduce((spans, one) => intersection(spans, begun(one)), open)
  const starts = new Set<number>()
  const windows = commonWindows([together, ...ofHours.map((ones) => ones.flatMap(begun))])
  for (const [from, to] of windows) {
    const skipped = Math.max(0, Math.ceil((range[0] - from) / plan.interval))
    for (let start = from + skipped * plan.interval; start < Math.min(to, range[1]); start += plan.interval)
      starts.add(start)
  }
  return starts
}
