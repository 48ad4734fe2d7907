import type { ClaimHolder } from '../../core/ledger/resource-claims.ts'
import type { AvailableTime } from '../../domain/availability/available-times.ts'
import {
  availableTimesInBatches,
  bookableRange,
  firstTime,
  MAX_BATCHES,
} from '../../domain/availability/find-available-times.ts'
import { selectableDurations } from '../../domain/availability/service-durations.ts'
import { narrowPlan, type Plan } from '../../domain/availability/service-scheduling-plan.ts'
import type { Database } from '../../infra/db/database.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { type ChosenTime, isBehindButton } from './chosen-time.ts'
import type { Choice } from './visitor-choices.ts'

export interface TimeSearch {
  choice: Choice
  now: Date
  /**
   * The hold (a reserved slot) or booking that the visitor wants to replace. The search treats its time, people and
   * rooms as free.
   */
  except?: ClaimHolder | undefined
  /** Whether the caller can use a time. The search leaves out a time for which the function returns false. */
  isOfUse?: (time: AvailableTime) => boolean
}

export const searchOf = ({ choice: { party }, now, except }: TimeSearch) => ({ party, now, except })

/**
 * Returns a copy of the service's plan (its hours, people and rooms). The copy contains only the people, location and
 * duration that the visitor chose.
 */
export const planFor = (plan: Plan, { choice: { persons, location, length } }: TimeSearch): Plan =>
  narrowPlan(plan, {
    ids: persons,
    location: plan.locations.length > 1 ? location : undefined,
    duration: selectableDurations(plan).includes(length) ? length : undefined,
  })

/**
 * Finds the times that share the button that the visitor pressed. There is one time for each possible combination of
 * people and rooms.
 */
export async function timesAt(db: Database, plan: Plan, timeSearch: TimeSearch, chosen: ChosenTime) {
  const found: AvailableTime[] = []
  const range = bookableRange(plan, [chosen.start, chosen.start + 1], timeSearch.now)
  const narrowedPlan = planFor(plan, timeSearch)
  for await (const batch of availableTimesInBatches(db, narrowedPlan, { range, ...searchOf(timeSearch), wanted: 1 }))
    found.push(...batch)
  return found.filter((time) => isBehindButton(plan, time, chosen) && matchesSearch(plan, timeSearch, time))
}

/** The input of a search for the next suitable time. `from` is the start of the search, in milliseconds since 1970. */
export interface NextTime {
  from: number
  /** Returns whether the search accepts a time. Without this function, the search accepts each free time. */
  fits?: (time: AvailableTime) => boolean
}

/** Finds the first time at or after `from` that matches the visitor's choices and the condition `fits`. */
export async function nextTime(
  db: Database,
  plan: Plan,
  timeSearch: TimeSearch,
  { from, fits = isFree }: NextTime,
): Promise<AvailableTime | undefined> {
  const range = bookableRange(plan, [from, Number.MAX_SAFE_INTEGER], timeSearch.now)
  const willDo = (time: AvailableTime) => fits(time) && matchesSearch(plan, timeSearch, time)
  return firstTime(db, planFor(plan, timeSearch), { range, ...searchOf(timeSearch), fits: willDo }, MAX_BATCHES)
}

/**
 * Whether a time matches the visitor's choices, such as the duration. A fully booked time matches only if the service
 * has a waitlist.
 */
export function matchesSearch(plan: Plan, { choice, isOfUse }: TimeSearch, time: AvailableTime): boolean {
  const { length, location, persons } = choice
  const isLong =
    selectableDurations(plan).length === 0 || time.scheduled === undefined || lengthOf(plan, time) === length
  const isThere = plan.locations.length < 2 || time.location === location
  return (
    isLong &&
    isThere &&
    persons.every((id) => time.picks.includes(id)) &&
    (isFree(time) || hasWaitlist(plan)) &&
    (isOfUse?.(time) ?? true)
  )
}

export const isFree = ({ capacity }: AvailableTime): boolean => capacity?.remaining !== 0

/**
 * Finds the duration of the service that matches the length of a free time. If the service counts in days, the length
 * can differ by an hour, because a day with a clock change does not have 24 hours.
 */
function lengthOf({ durations, byTheDay }: Plan, { start, end }: AvailableTime): number | undefined {
  const tolerance = byTheDay ? DAY / 8 : 0
  return durations.find((one) => Math.abs(one - (end - start)) <= tolerance)
}

/**
 * Whether the page can offer the waitlist. A waitlist entry is for one place only, so the service must accept a booking
 * for one person.
 */
export const hasWaitlist = ({ service: { capacity } }: Plan): boolean =>
  capacity?.waitlist === true && (capacity.min ?? 1) === 1
