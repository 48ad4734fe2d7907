import type { ResourceDefinition } from '../protocol/types.generated.ts'
import { type Calendar, calendarAt } from './calendar.ts'
import { type Plan, seatsOf } from './plan.ts'
import { common, covers, type Span, touches } from './spans.ts'

/** A time at which the service can be had, with whom and where. */
export interface Offer {
  start: number
  end: number
  location: string | undefined
  /** Ids of the resources that were chosen with the time. */
  picks: string[]
  /** For every other requirement the resources that will do, the best first. */
  choices: string[][]
  /** For what many share. */
  capacity?: Capacity
  /** For a class, which. */
  session?: string
}

export interface Capacity {
  total: number
  remaining: number
  held: number
}

/** What is taken of each resource: spans sorted by time, those of holds told apart for counting. */
export type Busy = ReadonlyMap<string, { taken: readonly Span[]; held: readonly Span[] }>

const DAY = 86_400_000

/**
 * The times of a service that begin within `range`, earliest first. Nothing here asks a clock or a database: what is
 * taken and which part of the calendar can be booked is given.
 */
export function offers(plan: Plan, busy: Busy, range: Span, party = 1): Offer[] {
  const found = plan.locations.flatMap((location) => offersAt(plan, busy, range, location, party))
  return found.sort((one, other) => comparePlaces(placeOf(one), placeOf(other)))
}

type Place = [start: number, end: number, rest: string]

/** Where an offer stands among those of its service, whatever else is offered. */
export const placeOf = ({ start, end, location = '', picks }: Offer): Place => [
  start,
  end,
  [location, ...picks].join('~'),
]

export const comparePlaces = (one: Place, other: Place): number =>
  one[0] - other[0] || one[1] - other[1] || (one[2] < other[2] ? -1 : Number(one[2] > other[2]))

function offersAt(plan: Plan, busy: Busy, range: Span, location: string | undefined, party: number): Offer[] {
  const calendar = calendarAt(plan, range, location)
  const selectable = plan.requirements.filter((requirement) => requirement.selectable)
  const assigned = plan.requirements.filter((requirement) => !requirement.selectable)
  const present = (candidates: ResourceDefinition[]) =>
    candidates.filter((one) => one.locations?.includes(location ?? '') ?? true)
  return combinations(selectable.map(({ candidates }) => present(candidates)))
    .filter((picks) => new Set(picks).size === picks.length)
    .flatMap((picks) => {
      const kinds = assigned.map(({ candidates }) => present(candidates).filter((one) => !picks.includes(one)))
      return offersWith(plan, busy, range, { calendar, location, picks, kinds, party })
    })
}

interface Setting {
  calendar: Calendar
  location: string | undefined
  picks: ResourceDefinition[]
  kinds: ResourceDefinition[][]
  party: number
}

function offersWith(plan: Plan, busy: Busy, range: Span, setting: Setting): Offer[] {
  const { calendar, picks, kinds } = setting
  const found: Offer[] = []
  for (const start of startsOf(plan, range, calendar, picks, kinds))
    for (const duration of plan.durations) {
      const end = start + duration
      if (!covers(calendar.wholeOpen, start, end)) break
      const offer = offerOf(plan, busy, setting, start, end)
      if (offer) found.push(offer)
    }
  return found
}

function offerOf(plan: Plan, busy: Busy, setting: Setting, start: number, end: number): Offer | undefined {
  const { calendar, location, picks, kinds, party } = setting
  const works = (one: ResourceDefinition) => covers(calendar.whole(one), start, end)
  const canHave = (one: ResourceDefinition) =>
    fits(plan, one, party) && !touches(busy.get(one.id)?.taken ?? [], start - plan.before, end + plan.after)
  const isShared = plan.service.type === 'reservation'
  const arePicksFree = picks.every(canHave)
  if (!picks.every(works) || (!arePicksFree && !isShared)) return undefined
  const working = kinds.map((candidates) => candidates.filter(works))
  const choices = working.map((candidates) => bestFirst(plan, busy, start, candidates.filter(canHave)))
  const offer = { start, end, location, picks: idsOf(picks), choices }
  const canBeHad = arePicksFree && distinct(choices) !== undefined
  if (!isShared) return canBeHad ? offer : undefined

  const capacity = capacityOf(plan, busy, seating([...picks.map((one) => [one]), ...working]), start, end)
  const isFull = capacity.remaining === 0 && distinct(working.map(idsOf)) !== undefined
  return canBeHad || isFull ? { ...offer, capacity } : undefined
}

const idsOf = (resources: readonly ResourceDefinition[]) => resources.map(({ id }) => id)

/** Of everything a reservation takes up, that which people sit at. */
const seating = (working: ResourceDefinition[][]): ResourceDefinition[] =>
  working.find((candidates) => candidates.some(({ seats }) => seats !== undefined)) ?? working[0] ?? []

/** A party takes one whole table, so it must be large enough. */
const fits = (plan: Plan, one: ResourceDefinition, party: number) =>
  plan.service.type !== 'reservation' || seatsOf(plan, one) >= party

/** The smallest that suffices, then the least used of the day. */
function bestFirst(plan: Plan, busy: Busy, start: number, candidates: ResourceDefinition[]): string[] {
  const used = ({ id }: ResourceDefinition) =>
    (busy.get(id)?.taken ?? []).filter(([from]) => Math.abs(from - start) < DAY / 2).length
  const ranked = candidates.map((one) => ({ id: one.id, seats: seatsOf(plan, one), used: used(one) }))
  return ranked.sort((one, other) => one.seats - other.seats || one.used - other.used).map(({ id }) => id)
}

function capacityOf(plan: Plan, busy: Busy, working: ResourceDefinition[], start: number, end: number): Capacity {
  const [from, to] = [start - plan.before, end + plan.after]
  const seats = (which: (one: ResourceDefinition) => boolean) =>
    working.filter(which).reduce((sum, one) => sum + seatsOf(plan, one), 0)
  return {
    total: seats(() => true),
    remaining: seats(({ id }) => !touches(busy.get(id)?.taken ?? [], from, to)),
    held: seats(({ id }) => touches(busy.get(id)?.held ?? [], from, to)),
  }
}

/** Whether each requirement can have a resource of its own. */
export function distinct(choices: readonly string[][], taken: readonly string[] = []): string[] | undefined {
  const [first, ...rest] = choices
  if (!first) return [...taken]
  for (const id of first) {
    const assignment = taken.includes(id) ? undefined : distinct(rest, [...taken, id])
    if (assignment) return assignment
  }
}

/** Starts step from the beginning of each window in which everybody needed is there. */
function startsOf(
  plan: Plan,
  range: Span,
  calendar: Calendar,
  picks: ResourceDefinition[],
  kinds: ResourceDefinition[][],
) {
  const together = picks.reduce((spans, one) => common(spans, calendar.day(one)), calendar.open)
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
