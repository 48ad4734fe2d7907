import { DAY, HOUR } from '../../../infra/time/units.ts'
import { dateIn, offsetAt } from '../../../infra/time/zone.ts'

export const parts = ['morning', 'afternoon', 'evening'] as const
export type Part = (typeof parts)[number]

/** A count of times, or of places in classes: all, and the free ones. */
interface FreeCount {
  all: number
  free: number
}

type PartsOfDay = Partial<Record<Part, FreeCount>>

/** A day with at least one time, free or booked, and the counts for each part of the day. */
export interface Day {
  date: string
  parts: PartsOfDay
}

export type PartsOfDays = Map<string, PartsOfDay>

export function addCount(days: PartsOfDays, zone: string, start: number, count: FreeCount): void {
  const date = dateIn(zone, start)
  const day = days.get(date) ?? {}
  days.set(date, day)
  addPart(day, partOf(zone, start), count)
}

export function sumParts(shares: readonly PartsOfDay[]): PartsOfDay {
  const sum: PartsOfDay = {}
  for (const share of shares)
    for (const part of parts) {
      const count = share[part]
      if (count) addPart(sum, part, count)
    }
  return sum
}

function addPart(day: PartsOfDay, part: Part, { all, free }: FreeCount): void {
  const count = day[part] ?? { all: 0, free: 0 }
  count.all += all
  count.free += free
  day[part] = count
}

function partOf(zone: string, start: number): Part {
  const hour = ((start + offsetAt(zone, start)) % DAY) / HOUR
  return hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'
}

/** A day counts as nearly full if less than this share of its times is free. */
const NEARLY_FULL_SHARE = 0.2

export const sumCounts = (shares: readonly FreeCount[]): FreeCount => ({
  all: shares.reduce((total, { all }) => total + all, 0),
  free: shares.reduce((total, { free }) => total + free, 0),
})

const countOf = (day: Day): FreeCount => sumCounts(Object.values(day.parts))

export const isFull = (day: Day): boolean => countOf(day).free === 0

/** Whether less than a fifth of the times of a day is free. Also true for a full day. */
export const isNearlyFull = (day: Day): boolean => countOf(day).free / countOf(day).all < NEARLY_FULL_SHARE
