import { icsTimestamp } from '../../infra/time/time-zone.ts'
import { EXPORT_SINGLE_EVENTS, recurrenceOf } from './ics-recurrence.ts'
import type { SourceRow } from './import-columns.ts'
import { instantOfProperty, UnreadableEventError, zoneOf } from './parse-ics-times.ts'
import { propertyOf, readEvent, uidOf } from './read-ics-event.ts'
import type { ImportOptions } from './read-import-file.ts'
import type { IcsEvent } from './split-ics-events.ts'

const repeats = (event: IcsEvent): boolean => Boolean(propertyOf(event, 'RRULE') ?? propertyOf(event, 'RDATE'))

/**
 * Whether the calendar event repeats, or replaces one time of a repeating event. The import must read such an event
 * together with the other events of the same UID (unique id).
 */
export const isOfSeries = (event: IcsEvent): boolean =>
  repeats(event) || propertyOf(event, 'RECURRENCE-ID') !== undefined

/**
 * Groups calendar events by UID (unique id). A repeating event has the same UID as the events that replace some of its
 * times. These events can be anywhere in the file.
 */
export const seriesIn = (events: readonly IcsEvent[]): Iterable<IcsEvent[]> =>
  Map.groupBy(events, (event) => uidOf(event) || event).values()

/**
 * Creates the import rows of a repeating event. Each time of the event becomes one row. If another event replaces a
 * time, the row comes from that other event.
 */
export function rowsOfSeries(events: readonly IcsEvent[], reading: ImportOptions): SourceRow[] {
  const series = events.find(repeats)
  const seriesStart = series && startOf(series, reading)
  const replacements = events.filter((event) => event !== series)
  const places = replacements.map((event) => faultOr(() => replacedTime(event, seriesStart?.zone ?? reading.zone)))
  const rows = replacements.flatMap((event, nth) =>
    rowsOrFault(event, () => {
      const place = places[nth]
      if (typeof place !== 'number') throw place
      const { uid, begins, rowAt } = readEvent(event, reading)
      return [rowAt(idOf(uid, place, seriesStart?.first), begins)]
    }),
  )
  return series ? [...rowsOrFault(series, () => rowsOfTimes(series, places, reading)), ...rows] : rows
}

/** Reads the import rows of a calendar event. If the import cannot read the event, returns one row with the reason. */
export function rowsOrFault(event: IcsEvent, read: () => SourceRow[]): SourceRow[] {
  const rows = faultOr(read)
  return rows instanceof UnreadableEventError ? [{ line: event.line, values: {}, fault: rows.message }] : rows
}

function faultOr<T>(read: () => T): T | UnreadableEventError {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableEventError) return error
    throw error
  }
}

function startOf(event: IcsEvent, { zone }: ImportOptions): { first: number; zone: string } | undefined {
  const start = propertyOf(event, 'DTSTART')
  const read = faultOr(() => start && { first: instantOfProperty(start, zone), zone: zoneOf(start, zone) })
  return read instanceof UnreadableEventError ? undefined : read
}

/** Returns the time of a repeating event that this event replaces. The property RECURRENCE-ID contains this time. */
function replacedTime(event: IcsEvent, zone: string): number {
  const place = propertyOf(event, 'RECURRENCE-ID')
  if (!place || repeats(event)) throw new UnreadableEventError('It repeats, and another event of its UID does so too.')
  if (uidOf(event) === '') throw new UnreadableEventError('It takes the place of one of a series, and has no UID.')
  if (place.parameters.RANGE !== undefined)
    throw new UnreadableEventError(`It changes all that follow as well. ${EXPORT_SINGLE_EVENTS}`)
  return instantOfProperty(place, zone)
}

function rowsOfTimes(series: IcsEvent, places: (number | UnreadableEventError)[], reading: ImportOptions): SourceRow[] {
  const { uid, begins, zone, rowAt } = readEvent(series, reading)
  if (places.some((place) => place instanceof UnreadableEventError))
    throw new UnreadableEventError(`Which of its times are elsewhere cannot be read. ${EXPORT_SINGLE_EVENTS}`)
  const { starts, unmatchedRemovals, readUntil } = recurrenceOf(series, { first: begins, zone }, reading.now)
  const replacedTimes = new Set(places)
  const rows = starts.filter((time) => !replacedTimes.has(time)).map((time) => rowAt(idOf(uid, time, begins), time))
  const leftOut = [
    ...(starts.length === 0 ? ['an event that repeats, and of which all times are taken out'] : []),
    ...(unmatchedRemovals > 0 ? [`times taken out of a series that has none then: ${unmatchedRemovals}`] : []),
    ...(readUntil === undefined ? [] : [`times of a series after ${readUntil}`]),
  ]
  return [...rows, ...leftOut.map((what) => ({ line: series.line, values: { left_out: what }, leftOut: [what] }))]
}

/**
 * Returns the id for one time of a repeating event. The first time has the event's own id, because an earlier import
 * may have stored the event before it repeated. The ids of all other times also contain their original time.
 */
const idOf = (uid: string, time: number, first: number | undefined): string =>
  uid && (time === first ? uid.slice(0, 200) : `${uid.slice(0, 180)} ${icsTimestamp(new Date(time))}`)
