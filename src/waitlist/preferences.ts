import type { Offer } from '../availability/offers.ts'
import { dateIn, written } from '../availability/zone.ts'
import type { EntryRow } from './queries.ts'

/** Hours of the day that the words mean; any other word restricts nothing. */
const parts: Record<string, [from: string, to: string]> = {
  morning: ['00:00', '12:00'],
  afternoon: ['12:00', '17:00'],
  evening: ['17:00', '24:00'],
}

/** Whether the buyer said that such a time would do. */
export function suits({ preferred }: Pick<EntryRow, 'preferred'>, { start }: Offer, zone: string): boolean {
  if (!preferred || preferred.length === 0) return true
  const day = dateIn(zone, start)
  const time = written(zone, start).slice(11, 16)
  return preferred.some(({ start_date = day, end_date = day, time_of_day = '' }) => {
    const [from, to] = parts[time_of_day.toLowerCase()] ?? ['00:00', '24:00']
    return start_date <= day && day <= end_date && from <= time && time < to
  })
}
