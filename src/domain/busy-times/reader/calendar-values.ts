import { DAY, HOUR, MINUTE, SECOND } from '../../../infra/time/time-units.ts'
import { EventError } from './event-error.ts'

export interface LocalTime {
  /** The local time in milliseconds, as if it were UTC. A day is its midnight. */
  local: number
  isDay: boolean
  isUtc: boolean
}

/** Reads a day such as `20270301`, or a time such as `20270301T090000Z`. */
export function localTimeOf(text: string): LocalTime {
  const [, year, month, day, time, hour = '0', minute = '0', second = '0', utc] =
    /^\s*(\d{4})(\d\d)(\d\d)(T(\d\d)(\d\d)(\d\d)?(Z)?)?\s*$/i.exec(text) ?? []
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    // A leap second has no number in milliseconds.
    Math.min(Number(second), 59),
  )
  // `Date.UTC` accepts February 30 and the hour 25, and means years before 100 as years after 1900.
  const isRight =
    Number(year) >= 100 && new Date(local).getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60
  if (!isRight) throw new EventError('time')
  return { local, isDay: time === undefined, isUtc: utc !== undefined }
}

export interface NominalDuration {
  /** Days of local time. A day with a clock change has 23 or 25 hours. */
  days: number
  exact: number
}

/** Reads a duration such as `PT1H30M` or `P1D`. */
export function durationOf(text: string): NominalDuration {
  const [whole, sign, weeks, days, , hours, minutes, seconds] =
    /^\s*([+-])?P(?:(\d{1,5})W)?(?:(\d{1,6})D)?(T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?\s*$/i.exec(text) ?? []
  if (whole === undefined || sign === '-') throw new EventError('duration')
  const number = (one: string | undefined) => Number(one ?? 0)
  return {
    days: number(weeks) * 7 + number(days),
    exact: number(hours) * HOUR + number(minutes) * MINUTE + number(seconds) * SECOND,
  }
}

/** The length of a duration in milliseconds, if each day has 24 hours. */
export const lengthOf = ({ days, exact }: NominalDuration): number => days * DAY + exact
