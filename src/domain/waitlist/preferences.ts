import { DAY, END_OF_TIME, HOUR } from '../../infra/time/units.ts'
import { dateIn, firstInstantOf, offsetAt } from '../../infra/time/zone.ts'
import { omitUndefined } from '../../infra/util/omit-undefined.ts'
import { Outcome } from '../../protocol/errors.ts'
import type { AvailableTime } from '../availability/available-times.ts'
import { merged, overlapsAny, type Span } from '../availability/spans.ts'
import type { EntryRow } from './queries.ts'

type Window = NonNullable<EntryRow['preferred']>[number]

/** Hours of the day that the words mean, as milliseconds of it; any other word restricts nothing, be it one that objects have. */
const parts = new Map<string, Span>([
  ['morning', [0, 12 * HOUR]],
  ['afternoon', [12 * HOUR, 17 * HOUR]],
  ['evening', [17 * HOUR, DAY]],
])

/** Of the parts, the latest first. */
const BEGINNINGS = [...parts.values()].map(([from]) => from).reverse()

const partNamed = ({ time_of_day = '' }: Window) => parts.get(time_of_day.toLowerCase())

const partOf = (window: Window): Span => partNamed(window) ?? [0, DAY]

/** Whether it says nothing of the hour, or nothing that is understood. */
export const isAnyTime = (window: Window): boolean => partNamed(window) === undefined

/**
 * When something begins, as clocks show it, in milliseconds: found out once, however many want to know whether it suits them.
 * It is the part of the day that counts, so the time is when that begins.
 */
export interface Beginning {
  day: number
  time: number
}

export function beginningOf({ start }: Pick<AvailableTime, 'start'>, zone: string): Beginning {
  const local = start + offsetAt(zone, start)
  const day = Math.floor(local / DAY) * DAY
  return { day, time: BEGINNINGS.find((from) => from <= local - day) ?? 0 }
}

/**
 * Whether the buyer said that such a time would do. Hundreds who named as many days as they may are asked about each part of
 * a year's days, so what they said is put in order first.
 */
export function suiting({ preferred }: Pick<EntryRow, 'preferred'>): (begins: Beginning) => boolean {
  if (!preferred || preferred.length === 0) return () => true
  const days = new Map(BEGINNINGS.map((time) => [time, daysOf(preferred.filter((window) => reaches(window, time)))]))
  return ({ day, time }) => overlapsAny(days.get(time) ?? [], day, day + 1)
}

function reaches(window: Window, time: number): boolean {
  const [from, to] = partOf(window)
  return from <= time && time < to
}

const daysOf = (windows: readonly Window[]): Span[] =>
  merged(
    windows
      .map(
        ({ start_date, end_date }): Span => [
          start_date === undefined ? 0 : Date.parse(start_date),
          end_date === undefined ? END_OF_TIME : Date.parse(end_date) + 1,
        ],
      )
      .sort(([one], [other]) => one - other),
  )

/** What is kept of a time that suits: what the protocol has a place for. Whoever looks at the waitlist is sent those of everybody in it. */
export const windowOf = ({ start_date, end_date, time_of_day }: Window): Window =>
  omitUndefined({ start_date, end_date, time_of_day })

/** As some write that there is no last day. What ends after it nobody could be told: no year has five digits. */
const NEVER = '9999-12-31'

/**
 * When the last of these times is over; nothing when there is no last. Refused where one is over already, or never is. The clocks
 * of the place are asked about today and the last of them alone: when they change in each of a hundred far years takes long to find out.
 */
export function endOf(preferred: EntryRow['preferred'], zone: string, now: Date): Date | null {
  const soon = dateIn(zone, now.getTime() + DAY)
  const ends = (preferred ?? []).map((window, index) => {
    const { start_date, end_date = NEVER } = window
    if (end_date === NEVER) return Number.POSITIVE_INFINITY
    const path = `$.preferred_slots[${index}].end_date`
    if (start_date !== undefined && end_date < start_date)
      throw new Outcome('validation_error', 'It lies before start_date.', path)
    const local = Date.parse(end_date) + partOf(window)[1]
    if (end_date <= soon && firstInstantOf(zone, local) <= now.getTime())
      throw new Outcome('validation_error', 'This time is over. Name one that is to come.', path)
    return local
  })
  const last = Math.max(...ends)
  return Number.isFinite(last) ? new Date(firstInstantOf(zone, last)) : null
}
