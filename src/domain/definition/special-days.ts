import { daysLater } from '../../infra/time/zone.ts'
import type { BusinessDefinition, SpecialHours } from '../../protocol/types.generated.ts'
import { appliesOn } from '../availability/hours-of-day.ts'

const MOST_DAYS = 7
const MOST_IN_ALL = 100

/** The first days of a special opening, at most a week of them. */
export const daysOf = (special: SpecialHours): string[] =>
  Array.from({ length: 14 * MOST_DAYS }, (_, nth) => daysLater(special.from, nth))
    .filter((day) => appliesOn(special, day))
    .slice(0, MOST_DAYS)

/** Days whose hours differ from the weekly hours. */
export function specialDays({ special_hours = [], resources = [] }: BusinessDefinition): string[] {
  const all = [special_hours, ...resources.map((one) => one.special_hours ?? [])].flat()
  return [...new Set(all.slice(0, MOST_IN_ALL).flatMap(daysOf))].slice(0, MOST_IN_ALL)
}
