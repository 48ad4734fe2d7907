import { MINUTE } from '../../infra/time/time-units.ts'
import { dateIn, daysLater, firstInstantOf, startOfDay, wholeDays } from '../../infra/time/time-zone.ts'
import type { BusinessDefinition, Closure, ResourceDefinition, TimeOff } from '../../protocol/types.generated.ts'
import { type Hours, openingsOn, type Window, weeklyOn, windowsOn } from './opening-hours-on-day.ts'
import { intersection, mergedOverlaps, type Span, subtracted } from './time-spans.ts'

/** All local days that overlap the range, as `YYYY-MM-DD`. */
export function daysWithin(zone: string, [from, to]: Span): string[] {
  const days: string[] = []
  for (let day = dateIn(zone, from); startOfDay(zone, day) < to; day = daysLater(day, 1)) days.push(day)
  return days
}

export function withinDays(zone: string, days: readonly string[], [from, to]: Span): Span {
  const [first, last] = wholeDays(zone, days[0] ?? '', days.at(-1) ?? '')
  return [Math.max(from, first), Math.min(to, last)]
}

/**
 * Converts working hours to spans of time on these days, as if there were no absences. The spans of two days stay
 * separate, even if they touch each other at midnight.
 */
export const spansOn = (zone: string, days: readonly string[], hours: Hours): Span[] =>
  days.flatMap((day) => spansOf(zone, day, windowsOn(hours, day)))

/** Converts the hours of one day to spans of time. If `windows` is undefined, the result is the whole day. */
function spansOf(zone: string, day: string, windows: readonly Window[] | undefined): Span[] {
  if (!windows) return [wholeDays(zone, day)]
  const spans = windows
    .map(
      ({ opens, closes }): Span => [
        localInstant(zone, day, opens),
        localInstant(zone, day, closes === '00:00' ? '24:00' : closes),
      ],
    )
    .filter(([from, to]) => from < to)
  return mergedOverlaps(spans.sort(([one], [other]) => one - other))
}

/**
 * Converts a local time on this day to an instant. If the local time occurs twice, the result is the first instant. If
 * a clock change skips the local time, the result is the instant of the change.
 */
function localInstant(zone: string, day: string, time: string): number {
  if (time === '24:00') return startOfDay(zone, daysLater(day, 1))
  const [hour, minute] = time.split(':').map(Number)
  return firstInstantOf(zone, Date.parse(day) + ((hour ?? 0) * 60 + (minute ?? 0)) * MINUTE)
}

/** Whether a closure applies to this location. A closure without `locations` applies to every location. */
export const appliesTo = ({ locations }: Pick<Closure, 'locations'>, location: string | undefined): boolean =>
  !locations || (location !== undefined && locations.includes(location))

export const closuresAt = ({ closures = [] }: BusinessDefinition, location: string | undefined): Closure[] =>
  closures.filter((closure) => appliesTo(closure, location))

/**
 * Caches the times of closures and absences. The cache keys are objects of the business definition. These objects never
 * change, so the cached times need no expiry.
 */
const converted = new WeakMap<object, { zone: string; spans: readonly Span[] }>()

function cachedSpans(zone: string, from: object, convert: () => Span[]): readonly Span[] {
  const known = converted.get(from)
  if (known?.zone === zone) return known.spans
  const spans = mergedOverlaps(convert().sort(([one], [other]) => one - other))
  converted.set(from, { zone, spans })
  return spans
}

export const closureSpans = (zone: string, closure: Closure): readonly Span[] =>
  cachedSpans(zone, closure, () => [wholeDays(zone, closure.from, closure.to)])

const placesOf = new WeakMap<BusinessDefinition, Map<string | undefined, Closure[]>>()

export function closedSpans(zone: string, business: BusinessDefinition, location: string | undefined): readonly Span[] {
  const places = placesOf.get(business) ?? new Map<string | undefined, Closure[]>()
  placesOf.set(business, places)
  const closures = places.get(location) ?? closuresAt(business, location)
  places.set(location, closures)
  return cachedSpans(zone, closures, () => closures.flatMap((closure) => closureSpans(zone, closure)))
}

export const absenceSpans = (zone: string, resource: Pick<ResourceDefinition, 'time_off'>): readonly Span[] =>
  cachedSpans(zone, resource, () =>
    (resource.time_off ?? []).map((away) => timeOffSpan(zone, away)).filter(([from, to]) => from < to),
  )

const timeOffSpan = (zone: string, { from, to }: TimeOff): Span => [
  from.includes('T') ? firstInstantOf(zone, Date.parse(`${from}Z`)) : startOfDay(zone, from),
  to.includes('T') ? firstInstantOf(zone, Date.parse(`${to}Z`)) : startOfDay(zone, daysLater(to, 1)),
]

/**
 * The times when a location is open. Usually, a location is open when its own opening hours and those of the business
 * overlap. Special hours replace the usual hours. The function removes closures, such as holidays.
 */
export function openSpans(
  zone: string,
  days: readonly string[],
  business: BusinessDefinition,
  location: string | undefined,
): Span[] {
  const place = business.locations?.find(({ id }) => id === location)
  const special = openingsOn(business, location)
  const open = days.flatMap((day) => {
    const windows = special(day)
    if (windows) return spansOf(zone, day, windows)
    const [ofBusiness, ofPlace] = [weeklyOn(business.hours, day), weeklyOn(place?.hours, day)]
    return intersection(spansOf(zone, day, ofBusiness), spansOf(zone, day, ofPlace))
  })
  return subtracted(open, closedSpans(zone, business, location))
}

/**
 * The times when a person, room or item with these hours is at work. The function removes absences, such as vacations.
 */
export const workingSpans = (
  zone: string,
  days: readonly string[],
  resource: Hours & Pick<ResourceDefinition, 'time_off'>,
): Span[] => subtracted(spansOn(zone, days, resource), absenceSpans(zone, resource))
