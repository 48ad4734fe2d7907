import { DAY, HOUR, LAST_INSTANT_MS } from '../../infra/time/time-units.ts'
import { dateIn, firstInstantOf, offsetAt } from '../../infra/time/time-zone.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import { invalidInput } from '../../protocol/errors.ts'
import type { AvailableTime } from '../availability/available-times.ts'
import { merged, overlapsAny, type Span } from '../availability/time-spans.ts'
import type { EntryRow } from './queries.ts'

type Window = NonNullable<EntryRow['preferred']>[number]

/**
 * The parts of a day, such as the morning, in milliseconds since midnight. Any other word means the whole day. The type
 * is `Map`, because a plain object would also find inherited keys.
 */
const PARTS_OF_DAY = new Map<string, Span>([
  ['morning', [0, 12 * HOUR]],
  ['afternoon', [12 * HOUR, 17 * HOUR]],
  ['evening', [17 * HOUR, DAY]],
])

const PART_STARTS = [...PARTS_OF_DAY.values()].map(([from]) => from).reverse()

const partNamed = ({ time_of_day = '' }: Window) => PARTS_OF_DAY.get(time_of_day.toLowerCase())

const partOf = (window: Window): Span => partNamed(window) ?? [0, DAY]

/**
 * Tells whether a buyer's preferred time window names no known part of the day. Any time of the day then suits the
 * buyer.
 */
export const isAnyTime = (window: Window): boolean => partNamed(window) === undefined

/**
 * The local day of a slot, and the start of its part of the day (such as the morning). Both values are in milliseconds.
 * The server computes them once for each slot and uses them for all waitlist entries.
 */
export interface LocalPartOfDay {
  day: number
  time: number
}

export function localPartOfDay({ start }: Pick<AvailableTime, 'start'>, zone: string): LocalPartOfDay {
  const local = start + offsetAt(zone, start)
  const day = Math.floor(local / DAY) * DAY
  return { day, time: PART_STARTS.find((from) => from <= local - day) ?? 0 }
}

/**
 * Returns a function that tells whether a time suits the buyer of a waitlist entry. The function prepares the buyer's
 * time windows only once, because the server then compares them with each part of each day of a year.
 */
export function preferenceFilter({ preferred }: Pick<EntryRow, 'preferred'>): (begins: LocalPartOfDay) => boolean {
  if (!preferred || preferred.length === 0) return () => true
  const days = new Map(PART_STARTS.map((time) => [time, daysOf(preferred.filter((window) => reaches(window, time)))]))
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
          end_date === undefined ? LAST_INSTANT_MS : Date.parse(end_date) + 1,
        ],
      )
      .sort(([one], [other]) => one - other),
  )

/**
 * Returns only the properties of a preferred time window that the protocol defines. The stored windows must stay small,
 * because each read of the waitlist loads the windows of all entries.
 */
export const toStoredWindow = ({ start_date, end_date, time_of_day }: Window): Window =>
  omitUndefined({ start_date, end_date, time_of_day })

/** The end of a preferred time window that has no end. Some callers send this date instead of leaving the end out. */
const NEVER = '9999-12-31'

/**
 * Returns the end of the buyer's last preferred time window, or null if a window has no end. Throws an error for a
 * window that is already over, or that ends before it starts. Clock changes far in the future are slow to compute.
 * Therefore the server computes them only for today and the last window.
 */
export function lastWindowEnd(preferred: EntryRow['preferred'], zone: string, now: Date): Date | null {
  const soon = dateIn(zone, now.getTime() + DAY)
  const ends = (preferred ?? []).map((window, index) => {
    const { start_date, end_date = NEVER } = window
    if (end_date === NEVER) return Number.POSITIVE_INFINITY
    const path = `$.preferred_slots[${index}].end_date`
    if (start_date !== undefined && end_date < start_date) throw invalidInput('It lies before start_date.', path)
    const local = Date.parse(end_date) + partOf(window)[1]
    if (end_date <= soon && firstInstantOf(zone, local) <= now.getTime())
      throw invalidInput('This time is in the past. Choose a future time.', path)
    return local
  })
  const last = Math.max(...ends)
  return Number.isFinite(last) ? new Date(firstInstantOf(zone, last)) : null
}
