import { availableDays } from '../../domain/availability/available-days.ts'
import type { AvailableTime } from '../../domain/availability/available-times.ts'
import { bookableRange } from '../../domain/availability/find-available-times.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import type { Database } from '../../infra/db/database.ts'
import { dateIn, daysLater, startOfDay } from '../../infra/time/time-zone.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import { weeksWith } from './calendar-weeks.ts'
import {
  hasWaitlist,
  isFree,
  matchesSearch,
  type NextTime,
  nextTime,
  planFor,
  searchOf,
  type TimeSearch,
} from './search-free-times.ts'

export interface FreeWeeks {
  /** The first day that the calendar shows, as `YYYY-MM-DD`. */
  from: string
  count: number
  days: ReadonlyMap<string, DayWithTimes>
  /**
   * The day that the page shows with its times: the chosen day, or else the next day with free times. Undefined if the
   * page shows no times.
   */
  day: string | undefined
  /** The next day with free times. The page names this day if the shown day has no free times. */
  next?: string | undefined
  hasEarlier: boolean
  hasLater: boolean
}

export interface DayWithTimes {
  /** Whether at least one time of the day is free. If no time is free, buyers can only join the waitlist. */
  isFree: boolean
  /**
   * Computes all times of the day. The computation is slow, so the server runs it only for the day that the page shows.
   */
  times(): Promise<AvailableTime[]>
}

type Days = FreeWeeks['days']

/**
 * Finds the weeks that the calendar shows: the weeks of the chosen day, or else the weeks that the visitor opened. If
 * the visitor chose neither, finds the first weeks with available times.
 */
export async function freeWeeks(
  db: Database,
  plan: Plan,
  timeSearch: TimeSearch,
  weekStart: number,
): Promise<FreeWeeks> {
  const { day, from } = timeSearch.choice
  const weeks = await weeksAt(db, plan, timeSearch, weekStart)
  const later = () => nextDay(db, plan, timeSearch, { from: startOfDay(plan.zone, daysLater(weeks.from, weeks.count)) })
  const shown = dayToShow(weeks.days, day)
  if (shown !== undefined) {
    const isFull = !weeks.days.get(shown)?.isFree
    return { ...weeks, day: shown, next: isFull ? (firstFree(weeks.days, shown) ?? (await later())) : undefined }
  }
  // From here on, no day of the found weeks has times to show. If the visitor opened these weeks, the page shows them
  // with a link to another day. Otherwise, the page shows the weeks of that other day.
  const isTurnedTo = day === undefined && from !== undefined
  const [opens] = bookableNow(plan, timeSearch)
  const otherDay =
    (await later()) ??
    lastOf(weeks.days) ??
    (weeks.hasEarlier ? await nextDay(db, plan, timeSearch, { from: opens }) : undefined) ??
    (hasWaitlist(plan) && !isTurnedTo
      ? await nextDay(db, plan, timeSearch, { from: opens, fits: () => true })
      : undefined)
  if (otherDay === undefined || otherDay === day || isTurnedTo) return { ...weeks, day: undefined, next: otherDay }
  return freeWeeks(db, plan, { ...timeSearch, choice: { ...timeSearch.choice, day: otherDay } }, weekStart)
}

async function weeksAt(db: Database, plan: Plan, timeSearch: TimeSearch, weekStart: number) {
  const { zone } = plan
  const [opens, closes] = bookableNow(plan, timeSearch)
  const [first, last] = [dateIn(zone, opens), dateIn(zone, Math.max(opens, closes - 1))]
  const { day, from: firstShown } = timeSearch.choice
  const { from, count } = weeksWith(day ?? firstShown ?? first, { first, last, weekStart })
  const [starts, ends] = [startOfDay(zone, from), startOfDay(zone, daysLater(from, count))]
  const range = [Math.max(starts, opens), Math.min(ends, closes)] as const
  const fits = (time: AvailableTime) => matchesSearch(plan, timeSearch, time)
  const search = { range, ...searchOf(timeSearch) }
  const days = new Map<string, DayWithTimes>()
  for await (const { date, hasTime, times } of availableDays(db, planFor(plan, timeSearch), search)) {
    // A full day with a hundred people and rooms takes long to compute. Therefore the server handles other requests
    // between two days.
    if (isTimeSliceUsed()) await yieldToEventLoop()
    let hasTimes = false
    const isFreeDay = hasTime((time) => {
      if (!fits(time)) return false
      hasTimes = true
      return isFree(time)
    })
    if (hasTimes) days.set(date, { isFree: isFreeDay, times: async () => (await times()).filter(fits) })
  }
  return { from, count, days, hasEarlier: starts > opens, hasLater: ends < closes }
}

const bookableNow = (plan: Plan, { now }: TimeSearch) =>
  bookableRange(plan, [now.getTime(), Number.MAX_SAFE_INTEGER], now)

/**
 * Returns the chosen day if it has times, or else the next day with free times. If the visitor chose no day and no day
 * is free, returns the first full day with a waitlist.
 */
function dayToShow(days: Days, chosen: string | undefined): string | undefined {
  if (chosen !== undefined && days.has(chosen)) return chosen
  const [first] = days.keys()
  return firstFree(days, chosen) ?? (chosen === undefined ? first : undefined)
}

const firstFree = (days: Days, after = ''): string | undefined =>
  [...days].find(([date, { isFree }]) => date > after && isFree)?.[0]

/**
 * Returns the last day with free times in the shown weeks. If no day is free, returns the last full day with a
 * waitlist.
 */
const lastOf = (days: Days): string | undefined =>
  [...days].findLast(([, { isFree }]) => isFree)?.[0] ?? [...days.keys()].at(-1)

async function nextDay(
  db: Database,
  plan: Plan,
  timeSearch: TimeSearch,
  wanted: NextTime,
): Promise<string | undefined> {
  const time = await nextTime(db, plan, timeSearch, wanted)
  return time && dateIn(plan.zone, time.start)
}
