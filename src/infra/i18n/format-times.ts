import { isRepeatedTime, offsetAt, rfc3339 } from '../time/time-zone.ts'
import { type Localizer, TIME_OF_DAY } from './localizer.ts'

const day = { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' } as const
const shortDay = { weekday: 'short', month: 'short', day: 'numeric' } as const
type Form = Intl.DateTimeFormatOptions

const isTwice = (zone: string, instant: Date) => isRepeatedTime(zone, instant.getTime())

/**
 * Writes a time of day, or a range of times, with its time zone. The zone is an abbreviation such as EST, if the
 * language has one. Otherwise, the zone is a geographic name, because few people know GMT-5. In the hour that clocks
 * show twice in autumn, the UTC offset replaces this name, because the name would be ambiguous.
 */
function zoned(localizer: Localizer, zone: string, form: Form, [from, to]: readonly [from: Date, to?: Date]) {
  const partsWith = (timeZoneName: 'short' | 'shortGeneric') => {
    const format = localizer.dates(zone, { ...form, ...TIME_OF_DAY, timeZoneName })
    return to ? format.formatRangeToParts(from, to) : format.formatToParts(from)
  }
  const short = partsWith('short')
  const hasLetters = short.some(({ type, value }) => type === 'timeZoneName' && !/\d/.test(value))
  const parts = hasLetters || isTwice(zone, from) ? short : partsWith('shortGeneric')
  return parts.map(({ value }) => value).join('')
}

/**
 * Writes a range of times with its time zone. If the clocks change during the range, the start and the end each show
 * their own zone.
 */
export function timeRange(localizer: Localizer, from: Date, to: Date, zone: string): string {
  if (offsetAt(zone, from.getTime()) === offsetAt(zone, to.getTime())) return zoned(localizer, zone, day, [from, to])
  const isOneDay = dayText(localizer, from, zone) === dayText(localizer, to, zone)
  return `${zoned(localizer, zone, day, [from])} – ${zoned(localizer, zone, isOneDay ? {} : day, [to])}`
}

export const dayText = (localizer: Localizer, instant: Date, zone: string): string =>
  localizer.dates(zone, day).format(instant)

/** Writes a time of day without the date. Adds the time zone only in the hour that clocks show twice in autumn. */
export const clockText = (localizer: Localizer, instant: Date, zone: string): string =>
  isTwice(zone, instant)
    ? zoned(localizer, zone, {}, [instant])
    : localizer.timesOfDay(timeOf(writtenLocally(zone, instant)))

/** Writes a range of times on one day, without the date. */
export function clockRange(localizer: Localizer, { start, end }: { start: string; end: string }, zone: string): string {
  const [from, to] = [new Date(start), new Date(end)]
  if (isTwice(zone, from) || isTwice(zone, to))
    return `${clockText(localizer, from, zone)} – ${clockText(localizer, to, zone)}`
  const [begins, ends] = [writtenLocally(zone, from), writtenLocally(zone, to)]
  if (dayOf(begins) === dayOf(ends)) return localizer.timesOfDay(`${timeOf(begins)}/${timeOf(ends)}`)
  return localizer.dates(zone, TIME_OF_DAY).formatRange(from, to)
}

const writtenLocally = (zone: string, instant: Date): string => rfc3339(zone, instant.getTime())
const dayOf = (text: string): string => text.slice(0, 'YYYY-MM-DD'.length)
const timeOf = (text: string): string => text.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDThh:mm'.length)

export const momentText = (localizer: Localizer, instant: Date, zone: string): string =>
  zoned(localizer, zone, day, [instant])

export const shortMomentText = (localizer: Localizer, instant: Date, zone: string): string =>
  isTwice(zone, instant)
    ? zoned(localizer, zone, shortDay, [instant])
    : localizer.dates(zone, { ...shortDay, ...TIME_OF_DAY }).format(instant)

/** Writes a range of times with its dates. If it starts and ends on one day, the date stands only once. */
export function shortRangeText(
  localizer: Localizer,
  { start, end }: { start: string; end: string },
  zone: string,
): string {
  const [from, to] = [new Date(start), new Date(end)]
  if (isTwice(zone, from) || isTwice(zone, to))
    return `${shortMomentText(localizer, from, zone)} – ${shortMomentText(localizer, to, zone)}`
  return localizer.dates(zone, { ...shortDay, ...TIME_OF_DAY }).formatRange(from, to)
}

/** Writes the time of a deadline, with the date if it is not today. */
export function untilText(localizer: Localizer, instant: Date, zone: string, now: Date): string {
  const isToday = dayText(localizer, instant, zone) === dayText(localizer, now, zone)
  return zoned(localizer, zone, isToday ? {} : day, [instant])
}
