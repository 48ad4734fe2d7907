import { WEEKDAYS } from '../../infra/time/time-units.ts'
import { daysLater } from '../../infra/time/time-zone.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export interface SimulatedDay {
  date: string
  /** The number of days from today. It is negative for past days. */
  offset: number
  /** The day of the week as a number from 0 (Sunday) to 6, as in `Date.getUTCDay`. */
  weekday: number
  isOpen: boolean
  /** Whether this day has many bookings: the next open day, and the next day on which the stylists work. */
  isBusy: boolean
  /** Whether this is the day in the past on which one buyer does not come. */
  isMissed: boolean
}

export const [PAST_DAYS, COMING_DAYS] = [28, 21]
const MISSED_FROM = -7
const DAYS_WITHOUT_STYLISTS = [0, 1]

/** Lists the days of the simulation. `today` is the current day in the time zone of the salon. */
export function simulatedDays({ hours = [], closures = [] }: BusinessDefinition, today: string): SimulatedDay[] {
  const isOpen = (date: string, weekday: number) =>
    hours.some(({ days }) => days.some((name) => name === WEEKDAYS[weekday])) &&
    !closures.some(({ from, to, locations }) => !locations && from.slice(0, 10) <= date && date <= to.slice(0, 10))
  const days = Array.from({ length: PAST_DAYS + COMING_DAYS + 1 }, (_, nth) => {
    const offset = nth - PAST_DAYS
    const date = daysLater(today, offset)
    const weekday = new Date(date).getUTCDay()
    return { date, offset, weekday, isOpen: isOpen(date, weekday) }
  })
  const [next] = days.filter(({ isOpen, offset }) => isOpen && offset >= 0)
  const withStylists = days.filter(({ isOpen, weekday }) => isOpen && !DAYS_WITHOUT_STYLISTS.includes(weekday))
  const nextFull = withStylists.find(({ offset }) => offset >= 0)
  const missed = withStylists.find(({ offset }) => offset >= MISSED_FROM)
  return days.map((day) => ({
    ...day,
    isBusy: day === next || day === nextFull,
    isMissed: day === missed,
  }))
}
