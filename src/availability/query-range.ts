import { ProtocolError } from '../protocol/errors.ts'
import type { Span } from './spans.ts'
import { daysLater, isZone, startOfDay } from './zone.ts'

const DAY = 86_400_000

/** The asked time as instants: days count whole in the zone, moments to the millisecond. */
export function queryRange(from: string, to: string, zone: string, mostDays: number): Span {
  if (!isZone(zone)) throw wrong('timezone', `${zone} is no IANA time zone, such as America/New_York.`)
  const range: Span = [
    isDay(from) ? startOfDay(zone, from) : Date.parse(from),
    isDay(to) ? startOfDay(zone, daysLater(to, 1)) : Date.parse(to),
  ]
  if (range[1] < range[0]) throw wrong('end_date', 'It lies before start_date.')
  // A day on which the clocks go back has 25 hours.
  if (range[1] - range[0] > mostDays * DAY + DAY / 8)
    throw new ProtocolError('range_too_wide', `Ask for at most ${mostDays} days at a time.`, {
      errors: [{ field: 'end_date', message: `lies more than ${mostDays} days after start_date` }],
    })
  return range
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

const wrong = (field: string, message: string) =>
  new ProtocolError('validation_error', message, { errors: [{ field, message }] })
