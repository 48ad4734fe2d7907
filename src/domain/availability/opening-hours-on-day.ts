import { DAY, WEEKDAYS } from '../../infra/time/time-units.ts'
import { memoize } from '../../infra/util/memoize.ts'
import type {
  BusinessDefinition,
  OpeningWindow,
  ResourceDefinition,
  Rota,
  SpecialHours,
} from '../../protocol/types.generated.ts'

export type Window = Pick<OpeningWindow, 'opens' | 'closes'>

export type Hours = Pick<ResourceDefinition, 'hours' | 'rota' | 'special_hours'>

const weekdayOf = memoize(2_000, (day: string) => WEEKDAYS[new Date(day).getUTCDay()])

/**
 * The opening or working hours of one day. Special hours (hours for certain dates) have priority over the rota (weeks
 * with different hours that repeat). The rota has priority over the weekly hours. Undefined means the whole day.
 */
export const windowsOn = ({ hours, rota, special_hours = [] }: Hours, day: string): readonly Window[] | undefined =>
  specialWindowsOn(special_hours, day) ?? weeklyOn(rota ? hoursInWeek(rota, day) : hours, day)

/**
 * The hours of this day in a rota (weeks with different hours that repeat). The function counts the weeks in calendar
 * days, because clock changes would shift a count in hours. The rota also applies to days before its first week.
 */
function hoursInWeek({ begins, weeks }: Rota, day: string): readonly OpeningWindow[] {
  const passed = Math.floor((Date.parse(day) - Date.parse(begins)) / (7 * DAY)) % weeks.length
  return weeks.at(passed)?.hours ?? []
}

export function weeklyOn(hours: readonly OpeningWindow[] | undefined, day: string): readonly Window[] | undefined {
  if (!hours) return undefined
  const weekday = weekdayOf(day)
  return hours.filter(({ days }) => days.some((name) => name === weekday))
}

export function appliesOn({ from, to = from, days }: SpecialHours, day: string): boolean {
  if (day < from || to < day) return false
  const weekday = weekdayOf(day)
  return !days || days.some((name) => name === weekday)
}

function specialWindowsOn(special: readonly SpecialHours[], day: string): readonly Window[] | undefined {
  const windows = special.filter((one) => appliesOn(one, day))
  return windows.length > 0 ? windows : undefined
}

/**
 * Makes a function that finds the special opening hours of a location on a day. Special hours that name this location
 * have priority over special hours for all locations.
 */
export function openingsOn(business: BusinessDefinition, location: string | undefined) {
  const { special_hours = [] } = business
  if (special_hours.length === 0) return () => undefined
  const ofLocation = special_hours.filter(({ locations }) => location !== undefined && locations?.includes(location))
  const all = special_hours.filter(({ locations }) => !locations)
  return (day: string) => specialWindowsOn(ofLocation, day) ?? specialWindowsOn(all, day)
}
