import { DAY, HOUR } from '../../../infra/time/time-units.ts'
import { offsetAt } from '../../../infra/time/time-zone.ts'

export const parts = ['morning', 'afternoon', 'evening'] as const
export type Part = (typeof parts)[number]

/**
 * The number of times of a service that begin in one part of a day (`all`), and the number of free times among them
 * (`free`). For classes, `all` and `free` count seats.
 */
export interface FreeCount {
  all: number
  free: number
}

type PartsOfDay = Partial<Record<Part, FreeCount>>

/** A day with at least one time of the service. The time can be free or full. */
export interface Day {
  date: string
  parts: PartsOfDay
}

export type PartsOfDays = Map<string, PartsOfDay>

export function sumParts(shares: readonly PartsOfDay[]): PartsOfDay {
  const sum: PartsOfDay = {}
  for (const share of shares)
    for (const part of parts) {
      const count = share[part]
      if (count) addPart(sum, part, count)
    }
  return sum
}

export function addPart(day: PartsOfDay, part: Part, { all, free }: FreeCount): void {
  const count = day[part] ?? { all: 0, free: 0 }
  count.all += all
  count.free += free
  day[part] = count
}

export function partOf(zone: string, start: number): Part {
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

/** Whether a day has only few free times. A fully booked day also counts as nearly full. */
export const isNearlyFull = (day: Day): boolean => countOf(day).free / countOf(day).all < NEARLY_FULL_SHARE
