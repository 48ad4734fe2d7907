import type { ResourceDefinition } from '../protocol/types.generated.ts'
import { daysLater, startOfDay } from '../time/zone.ts'
import { type Calendar, calendarAt } from './calendar.ts'
import { distinct } from './distinct.ts'
import { endOf } from './durations.ts'
import { daysWithin } from './hours.ts'
import { comparePlaces, placeOf } from './place.ts'
import type { Plan } from './plan.ts'
import { planMemory } from './plan-memory.ts'
import { common, type Span } from './spans.ts'

/** A time at which the place is open and everybody needed works, whoever may have it. */
export interface Opening {
  start: number
  end: number
  location: string | undefined
  /** Those that are chosen with the time. */
  picks: string[]
  chosen: ResourceDefinition[]
  /** For every other requirement those that work then. */
  working: ResourceDefinition[][]
}

/** Days that were looked at, so many openings in all. Only another definition opens other times. */
const days = planMemory<Opening[]>(200_000, ({ length }) => length + 1)

/** The openings that begin within `range`, in the order in which they are offered. */
export const openingsWithin = (plan: Plan, range: Span): Opening[] =>
  daysWithin(plan.zone, range).flatMap((day) => openingsOn(plan, day, range))

function openingsOn(plan: Plan, day: string, [from, to]: Span): Opening[] {
  const whole: Span = [startOfDay(plan.zone, day), startOfDay(plan.zone, daysLater(day, 1))]
  const part: Span = [Math.max(from, whole[0]), Math.min(to, whole[1])]
  const known = days.get(plan, day)
  // For the sake of a moment a day is not looked at.
  if (!known && part[1] - part[0] === 1) return findOpenings(plan, part)
  const found = known ?? findOpenings(plan, whole)
  if (!known) days.set(plan, day, found)
  const isWhole = part[0] === whole[0] && part[1] === whole[1]
  return isWhole ? found : found.filter(({ start }) => part[0] <= start && start < part[1])
}

const findOpenings = (plan: Plan, range: Span): Opening[] =>
  plan.locations
    .flatMap((location) => openingsAt(plan, range, location))
    .sort((one, other) => comparePlaces(placeOf(one), placeOf(other)))

function openingsAt(plan: Plan, range: Span, location: string | undefined): Opening[] {
  const calendar = calendarAt(plan, range, location)
  const selectable = plan.requirements.filter((requirement) => requirement.selectable)
  const assigned = plan.requirements.filter((requirement) => !requirement.selectable)
  const present = (candidates: ResourceDefinition[]) =>
    candidates.filter((one) => one.locations?.includes(location ?? '') ?? true)
  return combinations(selectable.map(({ candidates }) => present(candidates)))
    .filter((chosen) => new Set(chosen).size === chosen.length)
    .flatMap((chosen) => {
      const kinds = assigned.map(({ candidates }) => present(candidates).filter((one) => !chosen.includes(one)))
      return openingsWith(plan, range, calendar, location, chosen, kinds)
    })
}

function openingsWith(
  plan: Plan,
  range: Span,
  calendar: Calendar,
  location: string | undefined,
  chosen: ResourceDefinition[],
  kinds: ResourceDefinition[][],
): Opening[] {
  const picks = chosen.map(({ id }) => id)
  const found: Opening[] = []
  for (const start of startsOf(plan, range, calendar, chosen, kinds))
    for (const duration of plan.durations) {
      const end = endOf(plan, start, duration)
      if (!calendar.isOpen(start, end)) continue
      const works = (one: ResourceDefinition) => calendar.isThere(one, start, end)
      const working = kinds.map((candidates) => candidates.filter(works))
      if (chosen.every(works) && distinct(working.map((ones) => ones.map(({ id }) => id))))
        found.push({ start, end, location, picks, chosen, working })
    }
  return found
}

/** Starts step from the beginning of each window in which everybody needed is there. */
function startsOf(
  plan: Plan,
  range: Span,
  calendar: Calendar,
  chosen: ResourceDefinition[],
  kinds: ResourceDefinition[][],
) {
  const together = chosen.reduce((spans, one) => common(spans, calendar.day(one)), calendar.open)
  const starts = new Set<number>()
  // Resources with the same hours open the same windows: each set of hours is looked at once.
  const hours = kinds.map((candidates) => [...new Map(candidates.map((one) => [calendar.key(one), one])).values()])
  for (const some of combinations(hours))
    for (const [from, to] of some.reduce((spans, one) => common(spans, calendar.day(one)), together)) {
      const skipped = Math.max(0, Math.ceil((range[0] - from) / plan.interval))
      for (let start = from + skipped * plan.interval; start < Math.min(to, range[1]); start += plan.interval)
        starts.add(start)
    }
  return [...starts].sort((one, other) => one - other)
}

function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((found, list) => found.flatMap((some) => list.map((one) => [...some, one])), [[]])
}
