import { availableTime, type Busy } from '../availability/available-times.ts'
import { busyByDay } from '../availability/busy-by-day.ts'
import { bookable, timeOfSession } from '../availability/find-available-times.ts'
import type { Plan } from '../availability/plan.ts'
import { scheduledOneByOne } from '../availability/scheduled-times.ts'
import type { Span } from '../availability/spans.ts'
import { isShareUsed, letOthers } from '../basics/long-work.ts'
import type { Database } from '../db/database.ts'
import { sessionsBetween } from '../ledger/seats.ts'
import { DAY, HOUR } from '../time/units.ts'
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

interface CountAt extends FreeCount {
  start: number
}

/** What is free on each day from a date on, as far as can be booked. Days without any time are left out. */
export async function freeByDay(db: Database, plan: Plan, from: string, length: number, now: Date): Promise<Day[]> {
  const { zone } = plan
  const range = bookable(plan, [startOfDay(zone, from), startOfDay(zone, daysLater(from, length))], now)
  const days: Day[] = []
  for await (const [date, counts] of countsByDay(db, plan, range, now)) {
    const day = { date, parts: await partsOf(zone, counts) }
    if (Object.keys(day.parts).length > 0) days.push(day)
  }
  return days
}

async function* countsByDay(
  db: Database,
  plan: Plan,
  range: Span,
  now: Date,
): AsyncIterable<[string, Iterable<CountAt>]> {
  if (range[0] >= range[1]) return
  if (plan.service.type !== 'group')
    for await (const { date, range: day, busy } of busyByDay(db, plan, { range, now }))
      yield [date, countsOf(plan, busy, day)]
  else yield* await countsOfClasses(db, plan, range, now)
}

function* countsOf(plan: Plan, busy: Busy, day: Span): Iterable<CountAt> {
  for (const scheduled of scheduledOneByOne(plan, day)) {
    const time = availableTime(plan, busy, scheduled, 1)
    yield { start: scheduled.start, all: 1, free: time && time.capacity?.remaining !== 0 ? 1 : 0 }
  }
}

async function countsOfClasses(db: Database, { service, zone }: Plan, [from, to]: Span, now: Date) {
  const sessions = await sessionsBetween(db, service.id, new Date(from), new Date(to), now)
  const counts = sessions
    .map(timeOfSession)
    .map(({ start, capacity: { total, remaining } }) => ({ start, all: total, free: remaining }))
  return Map.groupBy(counts, ({ start }) => dateIn(zone, start))
}

async function partsOf(zone: string, counts: Iterable<CountAt>): Promise<Day['parts']> {
  const parts: Day['parts'] = {}
  for (const { start, all, free } of counts) {
    if (isShareUsed()) await letOthers()
    const part = partOf(zone, start)
    const before = parts[part] ?? { all: 0, free: 0 }
    parts[part] = { all: before.all + all, free: before.free + free }
  }
  return parts
}

function partOf(zone: string, start: number): Part {
  const hour = ((start + offsetAt(zone, start)) % DAY) / HOUR
  return hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'
}
