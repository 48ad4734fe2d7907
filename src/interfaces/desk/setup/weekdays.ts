import { DAY } from '../../../infra/time/units.ts'
import { dateFormat } from '../../../infra/util/formatters.ts'

/** In the order of the definition's schema. */
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Day = (typeof DAYS)[number]

/** Any Monday. */
const MONDAY = Date.UTC(2026, 5, 1)

export function dayNames(locale: string, weekday: 'long' | 'short' = 'long'): (day: Day) => string {
  const format = dateFormat(locale, { weekday, timeZone: 'UTC' })
  return (day) => format.format(MONDAY + DAYS.indexOf(day) * DAY)
}
