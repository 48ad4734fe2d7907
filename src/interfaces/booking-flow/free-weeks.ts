import { availableDays } from '../../domain/availability/available-days.ts'
import type { AvailableTime } from '../../domain/availability/available-times.ts'
import { bookable } from '../../domain/availability/find-available-times.ts'
import type { Plan } from '../../domain/availability/plan.ts'
import type { Database } from '../../infra/db/database.ts'
import { dateIn, daysLater, startOfDay } from '../../infra/time/zone.ts'
import { isShareUsed, letOthers } from '../../infra/util/long-work.ts'
import { canQueue, isFree, nextTime, planFor, searchOf, suits, type Wish } from './free-times.ts'
import { weeksWith } from './weeks.ts'

/** Some weeks as they can be booked now. */
export interface FreeWeeks {
  /** `YYYY-MM-DD`: the first day that is shown. */
  from: string
  /** How many days are shown. */
  count: number
  /** The days with times that suit, in order. */
  days: ReadonlyMap<string, DayWithTimes>
  /** The day whose times are shown: the chosen one, or the next that is free; none where there is nothing to show. */
  day: string | undefined
  /** Where nothing is free on it: the next day that is, if there is any. */
  next?: string | undefined
  hasEarlier: boolean
  hasLater: boolean
}

/** A day with times that suit. */
export interface DayWithTimes {
  /** Whether one of them is more than there to queue for. */
  isFree: boolean
  /** All of them are reckoned only where they are shown. */
  times(): Promise<AvailableTime[]>
}

type Days = FreeWeeks['days']

/** The weeks that were asked for, those of the chosen day, or the first from now on with anything to have. */
export async function freeWeeks(db: Database, plan: Plan, wish: Wish, weekStart: number): Promise<FreeWeeks> {
  const { day, from } = wish.choice
  const weeks = await weeksAt(db, plan, wish, weekStart)
  const later = () => nextDay(db, plan, wish, startOfDay(plan.zone, daysLater(weeks.from, weeks.count)))
  const shown = dayToShow(weeks.days, day)
  if (shown !== undefined) {
    const isFull = !weeks.days.get(shown)?.isFree
    return { ...weeks, day: shown, next: isFull ? (firstFree(weeks.days, shown) ?? (await later())) : undefined }
  }
  // Who turned to these weeks sees them empty; nobody else looks for what there is.
  const isTurnedTo = day === undefined && from !== undefined
  const [opens] = bookableNow(plan, wish)
  const elsewhere =
    (await later()) ??
    lastOf(weeks.days) ??
    (weeks.hasEarlier ? await nextDay(db, plan, wish, opens) : undefined) ??
    (canQueue(plan) && !isTurnedTo ? await nextDay(db, plan, wish, opens, () => true) : undefined)
  if (elsewhere === undefined || elsewhere === day || isTurnedTo) return { ...weeks, day: undefined, next: elsewhere }
  return freeWeeks(db, plan, { ...wish, choice: { ...wish.choice, day: elsewhere } }, weekStart)
}

async function weeksAt(db: Database, plan: Plan, wish: Wish, weekStart: number) {
  const { zone } = plan
  const [opens, closes] = bookableNow(plan, wish)
  const [first, last] = [dateIn(zone, opens), dateIn(zone, Math.max(opens, closes - 1))]
  const { day, from: asked } = wish.choice
  const { from, count } = weeksWith(day ?? asked ?? first, { first, last, weekStart })
  const [starts, ends] = [startOfDay(zone, from), startOfDay(zone, daysLater(from, count))]
  const range = [Math.max(starts, opens), Math.min(ends, closes)] as const
  const fits = (time: AvailableTime) => suits(plan, wish, time)
  const search = { range, ...searchOf(wish) }
  const days = new Map<string, DayWithTimes>()
  for await (const { date, some, times } of availableDays(db, planFor(plan, wish), search)) {
    // A day on which a hundred people are taken is looked through to its end.
    if (isShareUsed()) await letOthers()
    let hasTimes = false
    const isFreeDay = some((time) => {
      if (!fits(time)) return false
      hasTimes = true
      return isFree(time)
    })
    if (hasTimes) days.set(date, { isFree: isFreeDay, times: async () => (await times()).filter(fits) })
  }
  return { from, count, days, hasEarlier: starts > opens, hasLater: ends < closes }
}

const bookableNow = (plan: Plan, { now }: Wish) => bookable(plan, [now.getTime(), Number.MAX_SAFE_INTEGER], now)

/** The chosen day, or the first after it that is free; where none was chosen, what is full is there to queue for. */
function dayToShow(days: Days, chosen: string | undefined): string | undefined {
  if (chosen !== undefined && days.has(chosen)) return chosen
  const [first] = days.keys()
  return firstFree(days, chosen) ?? (chosen === undefined ? first : undefined)
}

/** The first day after this one with a time that is not merely there to queue for. */
const firstFree = (days: Days, after = ''): string | undefined =>
  [...days].find(([date, { isFree }]) => date > after && isFree)?.[0]

/** The last day that is free; else the last that is full. */
const lastOf = (days: Days): string | undefined =>
  [...days].findLast(([, { isFree }]) => isFree)?.[0] ?? [...days.keys()].at(-1)

async function nextDay(db: Database, plan: Plan, wish: Wish, from: number, fits = isFree): Promise<string | undefined> {
  const time = await nextTime(db, plan, wish, { from, fits })
  return time && dateIn(plan.zone, time.start)
}
