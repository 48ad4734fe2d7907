import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { canAssignDistinct } from './assign-distinct-resources.ts'
import { scheduledTimes } from './cached-scheduled-times.ts'
import type { ScheduledTime } from './generate-scheduled-times.ts'
import { hasCapacity } from './party-size-capacity.ts'
import type { Occupancy } from './resource-occupancy.ts'
import { type Plan, seatsOf } from './service-scheduling-plan.ts'
import { overlapsAny, type Span } from './time-spans.ts'

/**
 * A time of a service that buyers can book now. The type also describes fully booked times of table reservations and
 * classes, because buyers can join their waitlist.
 */
export interface AvailableTime {
  start: number
  end: number
  location: string | undefined
  /**
   * Ids of the people, rooms or items that the buyer chooses with this time. For a class, these are the people and
   * rooms of the class session.
   */
  picks: string[]
  /** The total number of seats and the number of free seats. Present only for table reservations and classes. */
  capacity?: Capacity
  /** Id of the class session. Absent if the service is not a class. */
  session?: string
  /**
   * The scheduled time (a time in the working hours, booked or free) behind this available time. Absent for classes.
   */
  scheduled?: ScheduledTime
}

/**
 * An available time that a running search has found. The function `choices` reads data that the server loads step by
 * step during the search. Therefore call `choices` only while the search runs.
 */
export interface SearchedTime extends AvailableTime {
  /**
   * For each resource that the business assigns, such as a room, lists the ids of the suitable free resources. This
   * property is a function, so that the server computes hundreds of ids only when a caller needs them.
   */
  choices(): string[][]
}

export interface Capacity {
  total: number
  remaining: number
  held: number
}

/**
 * The available times of a service that begin within the time range, earliest first. The function does not read the
 * database. The calling function passes the reserved times (`busy`) and a range in which buyers can book now.
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

/**
 * Makes a function that checks whether a buyer's choice of people or rooms is free at this time. The business assigns
 * other resources, such as equipment. These other resources are the same for each choice, so the function checks them
 * only once.
 */
export function freeChoiceCheck(plan: Plan, busy: Occupancy, scheduled: ScheduledTime) {
  const { working } = scheduled
  const canHave = availabilityCheck(plan, busy, scheduled, 1)
  let areOthersFree: boolean | undefined
  return (chosen: readonly ResourceDefinition[]): boolean => {
    if (!chosen.every(canHave)) return false
    areOthersFree ??= canAssignDistinct(working.map(freeCandidates(working.length, canHave)), idOf)
    return areOthersFree
  }
}

/**
 * Makes a function that checks whether a person, room or item is free at this time and large enough for all people of
 * the booking.
 */
function availabilityCheck(plan: Plan, busy: Occupancy, { start, end }: ScheduledTime, party: number) {
  const [from, to] = [start - plan.before, end + plan.after]
  return (one: ResourceDefinition): boolean => hasCapacity(plan, one, party) && !busy.get(one.id)?.isTaken(from, to)
}

/**
 * Keeps only the first `count` free candidates for each of the `count` resources that a booking needs. More candidates
 * are not necessary. The other needed resources occupy at most `count - 1` of the kept candidates, so at least one
 * stays free.
 */
const freeCandidates =
  (count: number, canHave: (one: ResourceDefinition) => boolean) => (candidates: ResourceDefinition[]) =>
    candidates.values().filter(canHave).take(count).toArray()

const idOf = ({ id }: ResourceDefinition) => id

/**
 * The resources, such as tables, whose seats are the capacity of a reservation. A reservation may need several kinds of
 * resources. The first kind with a stated number of `seats` counts. If no kind states a number, the first kind counts.
 */
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
