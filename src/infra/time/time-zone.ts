import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'
import { memoize } from '../util/memoize.ts'
import { DAY } from './time-units.ts'

/**
 * The server caches UTC offsets for spans of this many milliseconds. The range of JavaScript dates is a multiple of
 * this length, so no span is partly outside the range.
 */
const SPAN = 400 * DAY

/** A period between two clock changes. The UTC offset does not change within the period. */
interface OffsetPeriod {
  until: number
  offset: number
  writtenOffset: string
}

/**
 * Caches UTC offsets by time zone. The Temporal API needs microseconds for each offset, and a search for available
 * times needs thousands of offsets.
 */
const zones = new LRUCache<string, Map<number, OffsetPeriod[]>>({ max: 1000 })

/**
 * Formats a day as a date text. The result is cached, because formatting takes half a microsecond, and many available
 * times are on few days.
 */
const dateOfDay = memoize(1000, (day: number) => new Date(day * DAY).toISOString().slice(0, -'T00:00:00.000Z'.length))

/**
 * Returns how many milliseconds the local time is ahead of UTC at an instant. The number is negative west of Greenwich.
 */
export function offsetAt(zone: string, instant: number): number {
  return offsetPeriodAt(zone, instant).offset
}

/**
 * Converts a local time to an instant. `local` is the local time in milliseconds, as if it were UTC. If clocks skip the
 * local time in spring, the function adds the length of the gap. If clocks show the local time twice in autumn, it
 * returns the first instant.
 */
export function instantOf(zone: string, local: number): number {
  const offsetBefore = offsetAt(zone, local - DAY)
  const offsetAfter = offsetAt(zone, local + DAY)
  const before = local - offsetBefore
  const after = local - offsetAfter
  if (before === after || offsetAt(zone, before) === offsetBefore) return before
  return offsetAt(zone, after) === offsetAfter ? after : before
}

/** Whether clocks show the local time of this instant twice, such as in the repeated hour in autumn. */
export function isRepeatedTime(zone: string, instant: number): boolean {
  const local = instant + offsetAt(zone, instant)
  const others = [local - DAY, local + DAY].map((near) => local - offsetAt(zone, near))
  return others.some((other) => other !== instant && other + offsetAt(zone, other) === local)
}

/** Returns the local date at an instant, as `YYYY-MM-DD`. */
export function dateIn(zone: string, instant: number): string {
  return dateOf(instant + offsetAt(zone, instant))
}

/** Writes an instant in the format of RFC 3339, in whole seconds and with the offset of the time zone. */
export function rfc3339(zone: string, instant: number): string {
  const { offset, writtenOffset } = offsetPeriodAt(zone, instant)
  const local = new Date(instant + offset)
  const [hour, minute, second] = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()]
  return `${dateOf(local.getTime())}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}${writtenOffset}`
}

/** Writes an instant in the format of RFC 3339 with milliseconds, because two instants can be in the same second. */
export function rfc3339Exact(zone: string, instant: Date): string {
  const text = rfc3339(zone, instant.getTime())
  const seconds = 'YYYY-MM-DDThh:mm:ss'.length
  return text.slice(0, seconds) + instant.toISOString().slice(seconds, -'Z'.length) + text.slice(seconds)
}

/** Writes an instant in the UTC format of RFC 5545, such as `20261201T090000Z`. */
export const icsTimestamp = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')

/** Whether the name is a time zone of the IANA database. A UTC offset such as +02:00 does not count. */
export function isZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false
  try {
    return Boolean(new Temporal.ZonedDateTime(0n, name))
  } catch {
    return false
  }
}

/**
 * Returns the first instant when clocks show this local time. If clocks skip this time, returns the instant of the
 * clock change.
 */
export function firstInstantOf(zone: string, local: number): number {
  const instant = instantOf(zone, local)
  if (instant + offsetAt(zone, instant) === local) return instant
  const change = Temporal.Instant.fromEpochMilliseconds(instant + 1)
    .toZonedDateTimeISO(zone)
    .getTimeZoneTransition('previous')
  return change?.epochMilliseconds ?? instant
}

export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const midnight = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}

export const startOfDay = (zone: string, date: string): number => daysOf(zone)(date)

/**
 * Returns the start of each day in a time zone. The results are cached, because a page of five weeks needs each day a
 * dozen times.
 */
const daysOf = memoize(20, (zone: string) => memoize(5_000, (date: string) => firstInstantOf(zone, Date.parse(date))))

export function daysLater(date: string, days: number): string {
  return dateOf(Date.parse(date) + days * DAY)
}

/** Returns the interval from the start of a first day to the end of a last day in a time zone. */
export const wholeDays = (zone: string, first: string, last = first): [from: number, to: number] => [
  startOfDay(zone, first),
  startOfDay(zone, daysLater(last, 1)),
]

const dateOf = (local: number): string => dateOfDay(Math.floor(local / DAY))

function twoDigits(count: number): string {
  return count < 10 ? `0${count}` : `${count}`
}

function offsetPeriodAt(zone: string, instant: number): OffsetPeriod {
  for (const period of offsetPeriodsOf(zone, Math.floor(instant / SPAN))) if (instant < period.until) return period
  throw new RangeError(`${instant} is not an instant`)
}

function offsetPeriodsOf(zone: string, span: number): OffsetPeriod[] {
  const spans = zones.get(zone) ?? new Map<number, OffsetPeriod[]>()
  const known = spans.get(span)
  if (known) return known
  const found = [...findOffsetPeriods(zone, span * SPAN, (span + 1) * SPAN)]
  zones.set(zone, spans.set(span, found))
  return found
}

function* findOffsetPeriods(zone: string, from: number, until: number): Iterable<OffsetPeriod> {
  let start: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone)
  while (start && start.epochMilliseconds < until) {
    const next: Temporal.ZonedDateTime | null = start.getTimeZoneTransition('next')
    yield {
      until: Math.min(next?.epochMilliseconds ?? until, until),
      offset: start.offsetNanoseconds / 1e6,
      writtenOffset: start.toString({ smallestUnit: 'second', timeZoneName: 'never' }).slice(-'+00:00'.length),
    }
    start = next
  }
}
