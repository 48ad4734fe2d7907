import { daysLater } from '../../../infra/time/time-zone.ts'
import type { GetBusinessReports, GetTakings } from '../../../protocol/types.generated.ts'
import { DATE } from './sample-day.ts'

type Reports = GetBusinessReports['output']

/** Numbers that differ from day to day, and are the same at each call. */
const numbers = (seed: number, most: number) => Array.from({ length: 7 }, (_, day) => ((day + 2) * seed * 7) % most)

function report(first: string, seed: number): Reports['period'] {
  const dates = Array.from({ length: 7 }, (_, day) => daysLater(first, day))
  const bookings = numbers(seed, 23)
  const hours = (share: number) =>
    [9, 10, 11, 12, 13, 14, 15, 16, 17].map((hour) => ({
      hour,
      booked_minutes: Math.round(((hour * share * 37) % 101) * 4.2),
      working_minutes: 420,
    }))
  return {
    start_date: first,
    end_date: daysLater(first, 6),
    bookings: dates.map((date, day) => ({
      date,
      bookings: bookings[day] ?? 0,
      begun: bookings[day] ?? 0,
      no_shows: day % 3,
      canceled: day % 2,
    })),
    takings: dates.map((date, day) => ({
      date,
      currency: 'USD',
      amount: (bookings[day] ?? 0) * 7500,
      refunded: day === 3 ? 7500 : 0,
    })),
    lead_times: [
      { from_days: 0, below_days: 1, bookings: 12 * seed },
      { from_days: 1, below_days: 7, bookings: 31 * seed },
      { from_days: 7, bookings: 18 * seed },
    ],
    median_lead_hours: 72,
    sources: [
      { came_from: 'page', bookings: 34 * seed },
      { came_from: 'assistant', bookings: 9 * seed },
      { came_from: 'staff', bookings: 18 * seed },
    ],
    utilization: [
      { resource_id: 'staff_jane', name: 'Jane Smith', hours: hours(seed) },
      { resource_id: 'staff_alex', name: 'Alex Johnson', hours: hours(seed + 1) },
    ],
    waitlist: { joined: 9, offered: 7, booked: 5, waiting: 2 },
  }
}

export const sampleReports: Reports = {
  timezone: 'America/New_York',
  by: 'day',
  period: report(daysLater(DATE, -7), 2),
  before: report(daysLater(DATE, -14), 1),
}

const taking = { date: DATE, currency: 'USD', taken_by: 'example', name: 'Jane Smith', refunded: 0 }

export const sampleTakings: GetTakings['output']['takings'] = [
  { ...taking, kind: 'cash', payments: 3, amount: 22500, tips: 1500 },
  { ...taking, kind: 'card', payments: 6, amount: 48000, tips: 4200, refunded: 7500 },
]
