import { availableTimes } from '../availability/available-times.ts'
import { bookable, busyFor, timeOfSession } from '../availability/find-available-times.ts'
import type { Plan } from '../availability/plan.ts'
import { scheduledTimes } from '../availability/scheduled-times.ts'
import type { Span } from '../availability/spans.ts'
import type { Database } from '../db/database.ts'
import { sessionsBetween } from '../ledger/seats.ts'
import { dateIn, daysLater, offsetAt, startOfDay } from '../time/zone.ts'

export const parts = ['morning', 'afternoon', 'evening'] as const
export type Part = (typeof parts)[number]

/** How many times there are, or places in classes, and how many of them are free. */
export interface FreeCount {
  all: number
  free: number
}

/** A day on which the service is to be had, unless everything is taken. */
export interface Day {
  date: string
  parts: Partial<Record<Part, FreeCount>>
}

function partOf(zone: string, start: number): Part {
  const hour = new Date(start + offsetAt(zone, start)).getUTCHours()
  return hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'
}

/** What is free on each day from a date on, as far as can be booked. Days without any time are left out. */
export async function freeByDay(db: Database, plan: Plan, from: string, length: number, now: Date): Promise<Day[]> {
  const { zone } = plan
  const range = bookable(plan, [startOfDay(zone, from), startOfDay(zone, daysLater(from, length))], now)
  if (range[0] >= range[1]) return []
  const days = new Map<string, Day>()
  for (const { start, all, free } of await freeCounts(db, plan, range, now)) {
    const date = dateIn(zone, start)
    const part = partOf(zone, start)
    const day = days.get(date) ?? { date, parts: {} }
    const before = day.parts[part] ?? { all: 0, free: 0 }
    day.parts[part] = { all: before.all + all, free: before.free + free }
    days.set(date, day)
  }
  return [...days.values()].sort((one, other) => (one.date < other.date ? -1 : 1))
}

async function freeCounts(
  db: Database,
  plan: Plan,
  range: Span,
  now: Date,
): Promise<(FreeCount & { start: number })[]> {
  if (plan.service.type === 'group') {
    const sessions = await sessionsBetween(db, plan.service.id, new Date(range[0]), new Date(range[1]), now)
    return sessions.map(timeOfSession).map(({ start, capacity: { total, remaining } }) => ({
      start,
      all: total,
      free: remaining,
    }))
  }
  const free = availableTimes(plan, await busyFor(db, plan, range, { now }), range).filter(
    ({ capacity }) => capacity?.remaining !== 0,
  )
  return [
    ...scheduledTimes(plan, range).map(({ start }) => ({ start, all: 1, free: 0 })),
    ...free.map(({ start }) => ({ start, all: 0, free: 1 })),
  ]
}
