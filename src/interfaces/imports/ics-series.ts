import { stamp } from '../../infra/time/stamp.ts'
import type { Reading } from './formats.ts'
import type { IcsEvent } from './ics-events.ts'
import { propertyOf, readEvent, uidOf } from './ics-read-event.ts'
import { OTHERWISE, recurrenceOf } from './ics-recurrence.ts'
import { momentIn, Unreadable, zoneOf } from './ics-times.ts'
import type { SourceRow } from './source-row.ts'

const repeats = (event: IcsEvent): boolean => Boolean(propertyOf(event, 'RRULE') ?? propertyOf(event, 'RDATE'))

/** Whether the event repeats, or replaces one time of a repeating event. */
export const isOfSeries = (event: IcsEvent): boolean =>
  repeats(event) || propertyOf(event, 'RECURRENCE-ID') !== undefined

/** Groups a repeating event and the events that replace its times, by UID. They can be anywhere in the file. */
export const seriesIn = (events: readonly IcsEvent[]): Iterable<IcsEvent[]> =>
  Map.groupBy(events, (event) => uidOf(event) || event).values()

/** A row for each time of the series, and for each event that replaces one. */
export function rowsOfSeries(events: readonly IcsEvent[], reading: Reading): SourceRow[] {
  const series = events.find(repeats)
  const known = series && startOf(series, reading)
  const others = events.filter((event) => event !== series)
  const places = others.map((event) => faultOr(() => placeOf(event, known?.zone ?? reading.zone)))
  const rows = others.flatMap((event, nth) =>
    rowsOr(event, () => {
      const place = places[nth]
      if (typeof place !== 'number') throw place
      const { uid, begins, rowAt } = readEvent(event, reading)
      return [rowAt(idOf(uid, place, known?.first), begins)]
    }),
  )
  return series ? [...rowsOr(series, () => rowsOfTimes(series, places, reading)), ...rows] : rows
}

/** An unreadable event gives a row with its fault. */
export function rowsOr(event: IcsEvent, read: () => SourceRow[]): SourceRow[] {
  const rows = faultOr(read)
  return rows instanceof Unreadable ? [{ line: event.line, values: {}, fault: rows.message }] : rows
}

function faultOr<T>(read: () => T): T | Unreadable {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return error
    throw error
  }
}

function startOf(event: IcsEvent, { zone }: Reading): { first: number; zone: string } | undefined {
  const start = propertyOf(event, 'DTSTART')
  const read = faultOr(() => start && { first: momentIn(start, zone), zone: zoneOf(start, zone) })
  return read instanceof Unreadable ? undefined : read
}

/** The time of the series that the event replaces. */
function placeOf(event: IcsEvent, zone: string): number {
  const place = propertyOf(event, 'RECURRENCE-ID')
  if (!place || repeats(event)) throw new Unreadable('It repeats, and another event of its UID does so too.')
  if (uidOf(event) === '') throw new Unreadable('It takes the place of one of a series, and has no UID.')
  if (place.parameters.RANGE !== undefined) throw new Unreadable(`It changes all that follow as well. ${OTHERWISE}`)
  return momentIn(place, zone)
}

function rowsOfTimes(series: IcsEvent, places: (number | Unreadable)[], reading: Reading): SourceRow[] {
  const { uid, begins, zone, rowAt } = readEvent(series, reading)
  if (places.some((place) => place instanceof Unreadable))
    throw new Unreadable(`Which of its times are elsewhere cannot be read. ${OTHERWISE}`)
  const { starts, takenOutElsewhere, readUntil } = recurrenceOf(series, { first: begins, zone }, reading.now)
  const elsewhere = new Set(places)
  const rows = starts.filter((time) => !elsewhere.has(time)).map((time) => rowAt(idOf(uid, time, begins), time))
  const told = [
    ...(starts.length === 0 ? ['an event that repeats, and of which all times are taken out'] : []),
    ...(takenOutElsewhere > 0 ? [`times taken out of a series that has none then: ${takenOutElsewhere}`] : []),
    ...(readUntil === undefined ? [] : [`times of a series after ${readUntil}`]),
  ]
  return [...rows, ...told.map((what) => ({ line: series.line, values: { left_out: what }, leftOut: [what] }))]
}

/** The first time keeps the id from before the event repeated. Other ids add the original time. */
const idOf = (uid: string, time: number, first: number | undefined): string =>
  uid && (time === first ? uid.slice(0, 200) : `${uid.slice(0, 180)} ${stamp(new Date(time))}`)
