import { DAY } from '../../infra/time/units.ts'
import { daysLater } from '../../infra/time/zone.ts'
import { localeOf } from '../../infra/util/formatters.ts'
import { remember } from '../../infra/util/remember.ts'

/** So many weeks are seen at once: from this one on, since what is over helps nobody. */
const SHOWN = 5 * 7

/** What can be booked, by its first and its last day, and with which day weeks begin: 0 is Sunday. */
export interface Bookable {
  first: string
  last: string
  weekStart: number
}

/** The first of the days that are seen together with this one, and how many they are: whole weeks with anything to book. */
export function weeksWith(date: string, { first, last, weekStart }: Bookable): { from: string; count: number } {
  const start = weekOf(first, weekStart)
  const turns = Math.floor(daysBetween(start, clamp(date, first, last)) / SHOWN)
  const from = daysLater(start, turns * SHOWN)
  const left = daysBetween(from, weekOf(last, weekStart)) + 7
  return { from, count: Math.min(SHOWN, left) }
}

declare global {
  namespace Intl {
    interface Locale {
      /** Newer than what TypeScript knows; Node has it. */
      getWeekInfo?(): { firstDay: number }
    }
  }
}

/** 0 is Sunday: on which day weeks begin where this is spoken. */
export const weekStartOf = remember(64, (locale: string): number => {
  const { firstDay = 1 } = localeOf(locale).getWeekInfo?.() ?? {}
  return firstDay % 7
})

export const weekOf = (date: string, weekStart: number): string =>
  daysLater(date, -((new Date(date).getUTCDay() - weekStart + 7) % 7))

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY

const clamp = (date: string, first: string, last: string): string => (date < first ? first : date > last ? last : date)
