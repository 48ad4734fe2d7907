import { setImmediate as othersTurn } from 'node:timers/promises'
import { availableDays } from '../../availability/available-days.ts'
import type { AvailableTime } from '../../availability/available-times.ts'
import { bookable } from '../../availability/find-available-times.ts'
import type { Plan } from '../../availability/plan.ts'
import { planWith } from '../../availability/plan-with.ts'
import type { Database } from '../../db/database.ts'
import { dateIn, startOfDay } from '../../time/zone.ts'
import { isFree, nextFree, searchOf, suits, type Wish } from './free-times.ts'

/** A month as it can be booked now. */
export interface FreeMonth {
  /** `YYYY-MM` */
  month: string
  /** The days with times that suit, in order. */
  days: ReadonlyMap<string, MonthDay>
  /** The day whose times are shown: the chosen one, or the next that is free; none where there is nothing at all. */
  day: string | undefined
  /** Where there is nothing: the next time after the month, if there is any. */
  next?: AvailableTime | undefined
  hasEarlier: boolean
  hasLater: boolean
}

/** A day with times that suit. */
interface MonthDay {
  /** Whether one of them is more than there to queue for. */
  isFree: boolean
  /** All of them are reckoned only where they are shown. */
  times(): AvailableTime[]
}

/** The month that was asked for, or the first from now or from the chosen day on in which anything is free. */
export async function freeMonth(db: Database, plan: Plan, wish: Wish): Promise<FreeMonth> {
  const { choice } = wish
  const { day, month = dateIn(plan.zone, bookableNow(plan, wish)[0]).slice(0, 7) } = choice
  const asked = await monthAt(db, plan, wish, month)
  if (day !== undefined && asked.days.has(day)) return { ...asked, day }
  const isWanted = choice.month !== undefined && day === undefined
  const [first] = asked.days.keys()
  const shown = nextDay(asked, day) ?? (isWanted ? first : undefined)
  if (shown !== undefined) return { ...asked, day: shown }
  const next = await nextFree(db, plan, wish, startOfMonth(plan, nextMonth(month)))
  if (isWanted || !next) return { ...asked, day: first, next }
  const date = dateIn(plan.zone, next.start)
  return freeMonth(db, plan, { ...wish, choice: { ...choice, day: date, month: date.slice(0, 7) } })
}

async function monthAt(db: Database, plan: Plan, wish: Wish, month: string) {
  const [opens, closes] = bookableNow(plan, wish)
  const [from, to] = [startOfMonth(plan, month), startOfMonth(plan, nextMonth(month))]
  const range = [Math.max(from, opens), Math.min(to, closes)] as const
  const fits = (time: AvailableTime) => suits(plan, wish, time)
  const search = { range, ...searchOf(wish) }
  const days = new Map<string, MonthDay>()
  let turn = performance.now()
  for await (const { date, some, times } of availableDays(db, planWith(plan, wish.choice.persons), search)) {
    if (some(fits))
      days.set(date, { isFree: some((time) => fits(time) && isFree(time)), times: () => times().filter(fits) })
    // A day on which a hundred people are taken is looked through to its end.
    if (performance.now() - turn < MOST_OF_A_TURN) continue
    await othersTurn()
    turn = performance.now()
  }
  return { month, days, hasEarlier: from > opens, hasLater: to < closes }
}

/** Milliseconds. */
const MOST_OF_A_TURN = 10

/** The first day after this one with a time that is not merely there to queue for. */
const nextDay = ({ days }: Pick<FreeMonth, 'days'>, after = ''): string | undefined =>
  [...days].find(([date, { isFree }]) => date > after && isFree)?.[0]

const bookableNow = (plan: Plan, { now }: Wish) => bookable(plan, [now.getTime(), Number.MAX_SAFE_INTEGER], now)

const startOfMonth = ({ zone }: Plan, month: string) => startOfDay(zone, `${month}-01`)

export const nextMonth = (month: string): string => monthLater(month, 1)
export const previousMonth = (month: string): string => monthLater(month, -1)

const monthLater = (month: string, months: number) => {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 7)
}
