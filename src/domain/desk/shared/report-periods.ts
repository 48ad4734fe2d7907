import { DAY } from '../../../infra/time/time-units.ts'
import { daysLater, startOfDay } from '../../../infra/time/time-zone.ts'
import { queryRange } from '../../availability/read-query-range.ts'

export interface Period {
  start_date: string
  end_date: string
  /** The first day of each step of a report, as `YYYY-MM-DD`. A step ends where the next step begins. */
  dates: string[]
  bounds: Date[]
}

/**
 * Splits the days of a report into steps. A step is one day, or one week that begins on Monday. Refuses a request for
 * more than `most` days.
 */
export function periodOf(
  zone: string,
  { start_date, end_date, by = 'day' }: { start_date: string; end_date: string; by?: 'day' | 'week' },
  most: number,
): Period {
  const [, end] = queryRange(start_date, end_date, zone, most)
  const dates: string[] = []
  for (let date = start_date; date <= end_date; date = by === 'day' ? daysLater(date, 1) : mondayAfter(date))
    dates.push(date)
  return { start_date, end_date, dates, bounds: [...dates.map((date) => startOfDay(zone, date)), end].map(toDate) }
}

export function daysBefore({ start_date, end_date }: Period) {
  const days = Math.round((Date.parse(end_date) - Date.parse(start_date)) / DAY) + 1
  return { start_date: daysLater(start_date, -days), end_date: daysLater(start_date, -1) }
}

const mondayAfter = (date: string) => daysLater(date, 7 - ((new Date(date).getUTCDay() + 6) % 7))

const toDate = (instant: number) => new Date(instant)
