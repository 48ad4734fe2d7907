import type { AvailableTime } from '../../availability/available-times.ts'
import { availableTimesInBatches, bookable, firstAvailableTime } from '../../availability/find-available-times.ts'
import type { Plan } from '../../availability/plan.ts'
import type { Database } from '../../db/database.ts'
import { DAY } from '../../time/units.ts'
import { dateIn, startOfDay } from '../../time/zone.ts'
import type { Choice } from './choice.ts'

/** A month as it can be booked now. */
export interface FreeMonth {
  /** `YYYY-MM` */
  month: string
  /** By day, the times that suit, earliest first; what is full is among them where one can queue for it. */
  days: ReadonlyMap<string, readonly AvailableTime[]>
  hasEarlier: boolean
  hasLater: boolean
}

/** The month that was asked for, or the first in which anything is free. */
export async function freeMonth(db: Database, plan: Plan, choice: Choice, now: Date): Promise<FreeMonth> {
  const { zone } = plan
  const [opens, closes] = bookable(plan, [now.getTime(), Number.MAX_SAFE_INTEGER], now)
  const month = choice.month ?? (await firstMonth(db, plan, choice, [opens, closes], now)) ?? monthOf(zone, opens)
  const [from, to] = [startOfDay(zone, `${month}-01`), startOfDay(zone, `${nextMonth(month)}-01`)]
  const days = new Map<string, AvailableTime[]>()
  const range = [Math.max(from, opens), Math.min(to, closes)] as const
  for await (const batch of availableTimesInBatches(db, plan, { range, party: choice.party, now, wanted: WHOLE }))
    for (const time of batch) {
      if (!suits(plan, choice, time)) continue
      const day = dateIn(zone, time.start)
      const known = days.get(day)
      if (known) known.push(time)
      else days.set(day, [time])
    }
  return { month, days, hasEarlier: from > opens, hasLater: to < closes }
}

/** As many as a month may have: they are all wanted, so they are read in as few round trips as it takes. */
const WHOLE = 4_000

async function firstMonth(db: Database, plan: Plan, choice: Choice, range: readonly [number, number], now: Date) {
  const first = await firstAvailableTime(db, plan, {
    range,
    party: choice.party,
    now,
    fits: (time) => suits(plan, choice, time),
  })
  return first && monthOf(plan.zone, first.start)
}

/** The times that begin at this very instant, one for each who could be had. */
export async function timesAt(db: Database, plan: Plan, choice: Choice, start: number, now: Date) {
  const found: AvailableTime[] = []
  const range = bookable(plan, [start, start + 1], now)
  for await (const batch of availableTimesInBatches(db, plan, { range, party: choice.party, now, wanted: 1 }))
    found.push(...batch)
  return found.filter((time) => suits(plan, choice, time))
}

/** The next time after this one that is free, within what can be booked. */
export async function nextFree(db: Database, plan: Plan, choice: Choice, after: number, now: Date) {
  const range = bookable(plan, [after, Number.MAX_SAFE_INTEGER], now)
  return firstAvailableTime(db, plan, { range, party: choice.party, now, fits: (time) => suits(plan, choice, time) })
}

function suits(plan: Plan, { length, location, persons }: Choice, time: AvailableTime): boolean {
  const isLong = plan.durations.length < 2 || time.scheduled === undefined || lengthOf(plan, time) === length
  const isThere = plan.locations.length < 2 || time.location === location
  const isFull = time.capacity?.remaining === 0
  return isLong && isThere && persons.every((id) => time.picks.includes(id)) && (!isFull || canQueue(plan))
}

/** A day on which clocks are changed is a day all the same. */
function lengthOf({ durations, byTheDay }: Plan, { start, end }: AvailableTime): number | undefined {
  const tolerance = byTheDay ? DAY / 8 : 0
  return durations.find((one) => Math.abs(one - (end - start)) <= tolerance)
}

/** A line of people who each want one place has one place to offer each. */
export const canQueue = ({ service: { capacity } }: Plan): boolean =>
  capacity?.waitlist === true && (capacity.min ?? 1) === 1

const monthOf = (zone: string, instant: number) => dateIn(zone, instant).slice(0, 7)

export const nextMonth = (month: string): string => monthLater(month, 1)
export const previousMonth = (month: string): string => monthLater(month, -1)

const monthLater = (month: string, months: number) => {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 7)
}
