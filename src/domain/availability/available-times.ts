import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { canAssignDistinct } from './assign-distinct.ts'
import type { ScheduledTime } from './generate-scheduled-times.ts'
import type { Occupancy } from './occupancy.ts'
import { hasCapacity } from './party.ts'
import { type Plan, seatsOf } from './plan.ts'
import { scheduledTimes } from './scheduled-times.ts'
import { overlapsAny, type Span } from './spans.ts'

/**
 * A time of the service that existing bookings leave available. A reservation or a class is listed even when it is full.
 */
export interface AvailableTime {
  start: number
  end: number
  location: string | undefined
  /** The resources that the buyer chooses by choosing this slot. */
  picks: string[]
  /** Set for reservations and classes only. */
  capacity?: Capacity
  /** Session id, for classes only. */
  session?: string
  /** Set for all services except classes. */
  scheduled?: ScheduledTime
}

/** An available time during a search. `choices` works only then: later, some of the occupancy may not be loaded. */
export interface SearchedTime extends AvailableTime {
  /** For each requirement that the business assigns: ids of all suitable free resources. A list may have hundreds. */
  choices(): string[][]
}

export interface Capacity {
  total: number
  remaining: number
  held: number
}

/**
 * The times of a service that begin within `range`, earliest first. Pure: the caller passes the occupancy and the bookable
 * range.
 */
export const availableTimes = (plan: Plan, busy: Occupancy, range: Span, party = 1): SearchedTime[] => [
  ...availableOf(scheduledTimes(plan, range), plan, busy, party),
]

export function* availableOf(
  times: Iterable<ScheduledTime>,
  plan: Plan,
  busy: Occupancy,
  party: number,
): Generator<SearchedTime> {
  for (const scheduled of times) {
    const time = availableTime(plan, busy, scheduled, party)
    if (time) yield time
  }
}

export function availableTime(
  plan: Plan,
  busy: Occupancy,
  scheduled: ScheduledTime,
  party: number,
): SearchedTime | undefined {
  const { start, end, location, picks, chosen, working } = scheduled
  const canHave = availabilityCheck(plan, busy, scheduled, party)
  const isShared = plan.service.type === 'reservation'
  const arePicksFree = chosen.every(canHave)
  if (!arePicksFree && !isShared) return undefined
  const canBeHad = arePicksFree && canAssignDistinct(working.map(freeCandidates(working.length, canHave)), idOf)
  if (!canBeHad && !isShared) return undefined
  const choices = () => working.map((candidates) => candidates.filter(canHave).map(idOf))
  const time = { start, end, location, picks, choices, scheduled }
  if (!isShared) return time

  const capacity = capacityOf(plan, busy, seatingCandidates([...chosen.map((one) => [one]), ...working]), {
    start,
    end,
  })
  return canBeHad || capacity.remaining === 0 ? { ...time, capacity } : undefined
}

/** Builds the check if a resource is free at this time and large enough for the party. */
function availabilityCheck(plan: Plan, busy: Occupancy, { start, end }: ScheduledTime, party: number) {
  const [from, to] = [start - plan.before, end + plan.after]
  return (one: ResourceDefinition): boolean => hasCapacity(plan, one, party) && !busy.get(one.id)?.isTaken(from, to)
}

/**
 * Keeps at most `count` free candidates of each list. With that number, a list always has one left after the other lists
 * took theirs.
 */
const freeCandidates =
  (count: number, canHave: (one: ResourceDefinition) => boolean) => (candidates: ResourceDefinition[]) =>
    candidates.values().filter(canHave).take(count).toArray()

const idOf = ({ id }: ResourceDefinition) => id

/** The requirement of a reservation that counts as seats: the one with `seats` in its definition, otherwise the first. */
const seatingCandidates = (working: ResourceDefinition[][]): ResourceDefinition[] =>
  working.find((candidates) => candidates.some(({ seats }) => seats !== undefined)) ?? working[0] ?? []

function capacityOf(
  plan: Plan,
  busy: Occupancy,
  working: ResourceDefinition[],
  { start, end }: Pick<ScheduledTime, 'start' | 'end'>,
): Capacity {
  const [from, to] = [start - plan.before, end + plan.after]
  const seats = (which: (one: ResourceDefinition) => boolean) =>
    working.filter(which).reduce((sum, one) => sum + seatsOf(plan, one), 0)
  return {
    total: seats(() => true),
    remaining: seats(({ id }) => !busy.get(id)?.isTaken(from, to)),
    held: seats(({ id }) => overlapsAny(busy.get(id)?.held ?? [], from, to)),
  }
}
