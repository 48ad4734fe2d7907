import type { AvailableTime } from '../availability/available-times.ts'
import { omitUndefined } from '../basics/omit-undefined.ts'
import { Outcome } from '../protocol/errors.ts'
import { dateIn, daysLater, instantOf, startOfDay, written } from '../time/zone.ts'
import type { EntryRow } from './queries.ts'

type Window = NonNullable<EntryRow['preferred']>[number]

/** Hours of the day that the words mean; any other word restricts nothing. */
const parts: Record<string, [from: string, to: string]> = {
  morning: ['00:00', '12:00'],
  afternoon: ['12:00', '17:00'],
  evening: ['17:00', '24:00'],
}

/** Of the parts, the latest first. */
const BEGINNINGS = Object.values(parts)
  .map(([from]) => from)
  .reverse()

const partOf = ({ time_of_day = '' }: Window) => parts[time_of_day.toLowerCase()] ?? ['00:00', '24:00']

/** When something begins, as clocks show it: found out once, however many want to know whether it suits them. */
export interface Beginning {
  day: string
  time: string
}

/** It is the part of the day that counts, so the time is when that begins. */
export function beginningOf({ start }: AvailableTime, zone: string): Beginning {
  const time = written(zone, start).slice(11, 16)
  return { day: dateIn(zone, start), time: BEGINNINGS.find((from) => from <= time) ?? time }
}

/** Later than any day that is written with digits. */
const NEVER = '~'

/** Whether the buyer said that such a time would do: one after the other, thousands of them, which often are in one part of a day. */
export function suiting({ preferred }: Pick<EntryRow, 'preferred'>): (begins: Beginning) => boolean {
  if (!preferred || preferred.length === 0) return () => true
  const windows = preferred.map((window) => {
    const { start_date: first = '', end_date: last = NEVER } = window
    const [from, to] = partOf(window)
    return { first, last, from, to }
  })
  let before: Beginning | undefined
  let answer = false
  return (begins) => {
    const { day, time } = begins
    if (day !== before?.day || time !== before.time)
      answer = windows.some(({ first, last, from, to }) => first <= day && day <= last && from <= time && time < to)
    before = begins
    return answer
  }
}

/** What is kept of a time that suits: what the protocol has a place for. Whoever looks at the waitlist is sent those of everybody in it. */
export const windowOf = ({ start_date, end_date, time_of_day }: Window): Window =>
  omitUndefined({ start_date, end_date, time_of_day })

/** When the last of these times is over; nothing when there is no last. Refused where one is over already, or never is. */
export function endOf(preferred: EntryRow['preferred'], zone: string, now: Date): Date | null {
  const ends = (preferred ?? []).map((window, index) => {
    const { start_date, end_date } = window
    if (end_date === undefined) return Number.POSITIVE_INFINITY
    const path = `$.preferred_slots[${index}].end_date`
    if (start_date !== undefined && end_date < start_date)
      throw new Outcome('validation_error', 'It lies before start_date.', path)
    const end = endOfWindow(end_date, partOf(window), zone)
    if (end <= now.getTime())
      throw new Outcome('validation_error', 'This time is over. Name one that is to come.', path)
    return end
  })
  const last = Math.max(...ends)
  return Number.isFinite(last) ? new Date(last) : null
}

function endOfWindow(day: string, [, to]: [string, string], zone: string): number {
  if (to === '24:00') return startOfDay(zone, daysLater(day, 1))
  return instantOf(zone, Date.parse(`${day}T${to}Z`))
}
