import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { canAssignDistinct } from './assign-distinct.ts'
import type { Busy } from './busy.ts'
import { hasRoom } from './party.ts'
import { type Plan, seatsOf } from './plan.ts'
import type { ScheduledTime } from './scheduled-in-order.ts'
import { scheduledTimes } from './scheduled-times.ts'
import { overlapsAny, type Span } from './spans.ts'

/** A time of the service as bookings leave it: with whom and where. What many share is listed when it is full, too. */
export interface AvailableTime {
  start: number
  end: number
  location: string | undefined
  /** Ids of the resources that were chosen with the time. */
  picks: string[]
  /** For what many share. */
  capacity?: Capacity
  /** For a class, which. */
  session?: string
  /** For all else, the scheduled time it is made of. */
  scheduled?: ScheduledTime
}

/** While it is looked at, it says who could be assigned: afterwards not everybody may have been read who could. */
export interface OpenTime extends AvailableTime {
  /** For every requirement that nobody chooses for the resources that will do, of which there may be hundreds. */
  choices(): string[][]
}

export interface Capacity {
  total: number
  remaining: number
  held: number
}

/**
 * The times of a service that begin within `range`, earliest first. Nothing here asks a clock or a database: what is
 * taken and which part of the calendar can be booked is given.
 */
export const availableTimes = (plan: Plan, busy: Busy, range: Span, party = 1): OpenTime[] => [
  ...availableOf(scheduledTimes(plan, range), plan, busy, party),
]

/** What is available of these, each reckoned only when it is asked for. */
export function* availableOf(
  times: Iterable<ScheduledTime>,
  plan: Plan,
  busy: Busy,
  party: number,
): Generator<OpenTime> {
  for (const scheduled of times) {
    const time = availableTime(plan, busy, scheduled, party)
    if (time) yield time
  }
}

/** The same of one. */
export function availableTime(plan: Plan, busy: Busy, scheduled: ScheduledTime, party: number): OpenTime | undefined {
  const { start, end, location, picks, chosen, working } = scheduled
  const canHave = availability(plan, busy, scheduled, party)
  const isShared = plan.service.type === 'reservation'
  const arePicksFree = chosen.every(canHave)
  if (!arePicksFree && !isShared) return undefined
  const canBeHad = arePicksFree && canAssignDistinct(working.map(enoughOf(working.length, canHave)), idOf)
  if (!canBeHad && !isShared) return undefined
  const choices = () => working.map((candidates) => candidates.filter(canHave).map(idOf))
  const time = { start, end, location, picks, choices, scheduled }
  if (!isShared) return time

  const capacity = capacityOf(plan, busy, seating([...chosen.map((one) => [one]), ...working]), start, end)
  return canBeHad || capacity.remaining === 0 ? { ...time, capacity } : undefined
}

/** Whether one has room for so many and is free then. */
function availability(plan: Plan, busy: Busy, { start, end }: ScheduledTime, party: number) {
  const [from, to] = [start - plan.before, end + plan.after]
  return (one: ResourceDefinition): boolean => hasRoom(plan, one, party) && !busy.get(one.id)?.isTaken(from, to)
}

/** As many of them as decide whether each kind has one of its own: whoever has more to choose from is left one by the others. */
const enoughOf = (count: number, canHave: (one: ResourceDefinition) => boolean) => (candidates: ResourceDefinition[]) =>
  candidates.values().filter(canHave).take(count).toArray()

const idOf = ({ id }: ResourceDefinition) => id

/** Of everything a reservation takes up, that which people sit at. */
const seating = (working: ResourceDefinition[][]): ResourceDefinition[] =>
  working.find((candidates) => candidates.some(({ seats }) => seats !== undefined)) ?? working[0] ?? []

function capacityOf(plan: Plan, busy: Busy, working: ResourceDefinition[], start: number, end: number): Capacity {
  const [from, to] = [start - plan.before, end + plan.after]
  const seats = (which: (one: ResourceDefinition) => boolean) =>
    working.filter(which).reduce((sum, one) => sum + seatsOf(plan, one), 0)
  return {
    total: seats(() => true),
    remaining: seats(({ id }) => !busy.get(id)?.isTaken(from, to)),
    held: seats(({ id }) => overlapsAny(busy.get(id)?.held ?? [], from, to)),
  }
}
