import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { canAssignDistinct } from './assign-distinct-resources.ts'
import { type ChoiceGroup, choicesOf } from './resource-choices.ts'
import { hoursKey, type WorkingTime, workingTimeAt } from './resource-working-times.ts'
import { endOf } from './service-durations.ts'
import type { Plan } from './service-scheduling-plan.ts'
import { intersection, type Span } from './time-spans.ts'

/**
 * A possible time of a booking. The location is open, and all required people, rooms and items are at work. A buyer may
 * already have booked the time.
 */
export interface ScheduledTime {
  start: number
  end: number
  location: string | undefined
  /**
   * Ids of the people, rooms or items that the buyer chooses with this time. The business assigns the other resources.
   */
  picks: string[]
  chosen: ResourceDefinition[]
  /**
   * For each resource that the business assigns, such as a room, lists the suitable resources that are at work at this
   * time.
   */
  working: ResourceDefinition[][]
}

/**
 * Generates the possible times of bookings that begin within the range, sorted by start, end and chosen resources. The
 * function computes the end and the resources of a time only when the caller iterates to this time.
 */
export function* generateScheduledTimes(
  plan: Plan,
  range: Span,
  choices: readonly ChoiceGroup[] = choicesOf(plan),
): Generator<ScheduledTime> {
  const places = new Map(plan.locations.map((location) => [location, workingTimeAt(plan, range, location)]))
  const starting = new Map<number, OpenGroup[]>()
  for (const group of choices) {
    const workingTime = places.get(group.location)
    if (!workingTime) continue
    const openGroup = { ...group, workingTime }
    // `concat` makes an array of the exact size. `push` would reserve memory for more elements, and the server caches
    // the times of hundreds of days.
    for (const start of startsOf(plan, range, openGroup))
      starting.set(start, (starting.get(start) ?? []).concat([openGroup]))
  }
  for (const start of [...starting.keys()].sort((one, other) => one - other))
    yield* timesAt(plan, start, starting.get(start) ?? [])
}

interface OpenGroup extends ChoiceGroup {
  workingTime: WorkingTime
}

function* timesAt(plan: Plan, start: number, groups: OpenGroup[]): Generator<ScheduledTime> {
  const times = groups.flatMap((group) => timesOfGroup(plan, start, group))
  const byEnd = [...Map.groupBy(times, ({ end }) => end)].sort(([one], [other]) => one - other)
  for (const [end, timesOfEnd] of byEnd) {
    const choices = timesOfEnd.flatMap(({ working, location, choices }) =>
      choices.map((choice) => ({ choice, location, working })),
    )
    if (timesOfEnd.length > 1) choices.sort((one, other) => one.choice.rank - other.choice.rank)
    for (const { choice, location, working } of choices)
      yield { start, end, location, picks: choice.picks, chosen: choice.chosen, working }
  }
}

/**
 * The times that begin at `start`, one for each possible duration. The location must be open, and the required people,
 * rooms and items must be at work until the end. A group contains choices with the same working hours, so all its
 * choices have these times.
 */
function timesOfGroup(
  plan: Plan,
  start: number,
  { chosen, kindsFor, ofHours, workingTime, location, choices }: OpenGroup,
) {
  return kindsFor.flatMap(([duration, kinds]) => {
    const end = endOf(plan, start, duration)
    const works = (one: ResourceDefinition) => workingTime.isThere(one, start, end)
    if (!workingTime.isOpen(start, end) || !chosen.every(works)) return []
    const working = kinds.map((ones, kind) => {
      const away = new Set(ofHours[kind]?.filter((one) => !works(one)).map(hoursKey))
      return away.size === 0 ? ones : ones.filter((one) => !away.has(hoursKey(one)))
    })
    if (!canAssignDistinct(working, ({ id }) => id)) return []
    // If all candidates are at work, the time refers to the shared list of all candidates. A separate list for each of
    // the tens of thousands of times would need too much memory.
    const isEverybody = working.every((ones, kind) => ones === kinds[kind])
    return [{ end, working: isEverybody ? kinds : working, location, choices }]
  })
}

/**
 * The possible starts of bookings within the range. The function first finds the windows of time when all required
 * people, rooms and items are at work. Within each window, the starts repeat at equal steps, such as every 15 minutes.
 */
function startsOf(plan: Plan, range: Span, { chosen, ofHours, workingTime }: OpenGroup): Set<number> {
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

/**
 * Finds the windows of time when at least one resource from each list is at work. A window begins when the shift of a
 * resource begins. It ends at the latest end of any combination that contains this shift. The function needs only one
 * pass. Trying all combinations would be too slow: ten lists with ten resources have ten billion.
 */
export function commonWindows(lists: readonly (readonly Span[])[]): Span[] {
  const coming = lists.map(latestEnds)
  const beginnings = [...new Set(coming.flatMap((ends) => [...ends.keys()]))].sort((one, other) => one - other)
  let latest = lists.map(() => NEVER)
  return beginnings.flatMap((from): Span[] => {
    const ending = coming.map((ends) => ends.get(from) ?? NEVER)
    latest = latest.map((end, list) => Math.max(end, ending[list] ?? NEVER))
    const ends = ending.map((end, list) => Math.min(end, ...latest.filter((_, other) => other !== list)))
    const to = Math.max(...ends)
    return from < to ? [[from, to]] : []
  })
}

const NEVER = Number.NEGATIVE_INFINITY

function latestEnds(spans: readonly Span[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  for (const [from, to] of spans) ends.set(from, Math.max(to, ends.get(from) ?? NEVER))
  return ends
}
