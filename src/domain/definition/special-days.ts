import { daysLater } from '../../infra/time/zone.ts'
import type { BusinessDefinition, SpecialHours } from '../../protocol/types.generated.ts'
import { isOn } from '../availability/hours-of-day.ts'

/** Enough of its days to tell: a week of each. */
const MOST_DAYS = 7
const MOST_IN_ALL = 100

/** The days that it is about, the first of them where there are many. */
export const daysOf = (special: SpecialHours): string[] =>
  Array.from({ length: 14 * MOST_DAYS }, (_, nth) => daysLater(special.from, nth))
    .filter((day) => isOn(special, day))
    .slice(0, MOST_DAYS)

/** Days on which something is other than in any week. */
export function specialDays({ special_hours = [], resources = [] }: BusinessDefinition): string[] {
  const all = [special_hours, ...resources.map((one) => one.special_hours ?? [])].flat()
  return [...new Set(all.slice(0, MOST_IN_ALL).flatMap(daysOf))].slice(0, MOST_IN_ALL)
}
