import { DAY } from '../../infra/time/time-units.ts'
import { daysLater } from '../../infra/time/time-zone.ts'
import { localeOf } from '../../infra/util/cached-intl-formatters.ts'
import { memoize } from '../../infra/util/memoize.ts'

/**
 * The number of days on one page of the calendar. The first page starts with the week that contains the first bookable
 * day.
 */
const SHOWN = 5 * 7

/**
 * The first and the last day that buyers can book. `weekStart` is the first weekday of a week, from 0 (Sunday) to 6
 * (Saturday).
 */
export interface Bookable {
  first: string
  last: string
  weekStart: number
}

/**
 * Returns the first day and the number of days of the calendar page that contains a date. The last page ends with the
 * last bookable week.
 */
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
      /** Node.js has the method `getWeekInfo`, but the type definitions of TypeScript do not contain it yet. */
      getWeekInfo?(): { firstDay: number }
    }
  }
}

/** Returns the first weekday of a week in the locale, from 0 (Sunday) to 6 (Saturday). */
export const weekStartOf = memoize(64, (locale: string): number => {
  const { firstDay = 1 } = localeOf(locale).getWeekInfo?.() ?? {}
  return firstDay % 7
})

export const weekOf = (date: string, weekStart: number): string =>
  daysLater(date, -((new Date(date).getUTCDay() - weekStart + 7) % 7))

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY

const clamp = (date: string, first: string, last: string): string => (date < first ? first : date > last ? last : date)
