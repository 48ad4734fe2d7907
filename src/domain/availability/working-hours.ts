import { MINUTE } from '../../infra/time/units.ts'
import { dateIn, daysLater, firstInstantOf, startOfDay, wholeDays } from '../../infra/time/zone.ts'
import type { BusinessDefinition, Closure, ResourceDefinition, TimeOff } from '../../protocol/types.generated.ts'
import { type Hours, openingsOn, type Window, weeklyOn, windowsOn } from './hours-of-day.ts'
import { intersection, mergedOverlaps, type Span, subtracted } from './spans.ts'

/** Every local day that has a part in this time. */
export function daysWithin(zone: string, [from, to]: Span): string[] {
  const days: string[] = []
  for (let day = dateIn(zone, from); startOfDay(zone, day) < to; day = daysLater(day, 1)) days.push(day)
  return days
}

/** The part of the time that lies on these days, which follow each other. */
export function withinDays(zone: string, days: readonly string[], [from, to]: Span): Span {
  const [first, last] = wholeDays(zone, days[0] ?? '', days.at(-1) ?? '')
  return [Math.max(from, first), Math.min(to, last)]
}

/** When they are there on these days, away times or not; each day's windows begin anew. */
export const spansOn = (zone: string, days: readonly string[], hours: Hours): Span[] =>
  days.flatMap((day) => spansOf(zone, day, windowsOn(hours, day)))

/** Without windows it is all day. */
function spansOf(zone: string, day: string, windows: readonly Window[] | undefined): Span[] {
  if (!windows) return [wholeDays(zone, day)]
  const spans = windows
    .map(({ opens, closes }): Span => [at(zone, day, opens), at(zone, day, closes === '00:00' ? '24:00' : closes)])
    .filter(([from, to]) => from < to)
  return mergedOverlaps(spans.sort(([one], [other]) => one - other))
}

/** When clocks first show it. What opens or closes at a time that they skip does so as they are changed. */
function at(zone: string, day: string, time: string): number {
  if (time === '24:00') return startOfDay(zone, daysLater(day, 1))
  const [hour, minute] = time.split(':').map(Number)
  return firstInstantOf(zone, Date.parse(day) + ((hour ?? 0) * 60 + (minute ?? 0)) * MINUTE)
}

/** Whether it has to do with this place: with all of them where it names none. */
export const isFor = ({ locations }: Pick<Closure, 'locations'>, location: string | undefined): boolean =>
  !locations || (location !== undefined && locations.includes(location))

/** The closures that apply at this place. */
export const closuresAt = ({ closures = [] }: BusinessDefinition, location: string | undefined): Closure[] =>
  closures.filter((closure) => isFor(closure, location))

/** Closures, days off and hours are those of a definition, which is never changed: each is converted once. */
const converted = new WeakMap<object, { zone: string; spans: readonly Span[] }>()

function convertedOnce(zone: string, from: object, convert: () => Span[]): readonly Span[] {
  const known = converted.get(from)
  if (known?.zone === zone) return known.spans
  const spans = mergedOverlaps(convert().sort(([one], [other]) => one - other))
  converted.set(from, { zone, spans })
  return spans
}

/** When it is closed because of this. */
export const closureSpans = (zone: string, closure: Closure): readonly Span[] =>
  convertedOnce(zone, closure, () => [wholeDays(zone, closure.from, closure.to)])

const placesOf = new WeakMap<BusinessDefinition, Map<string | undefined, Closure[]>>()

/** When this place is closed by way of exception. */
export function closedSpans(zone: string, business: BusinessDefinition, location: string | undefined): readonly Span[] {
  const places = placesOf.get(business) ?? new Map<string | undefined, Closure[]>()
  placesOf.set(business, places)
  const closures = places.get(location) ?? closuresAt(business, location)
  places.set(location, closures)
  return convertedOnce(zone, closures, () => closures.flatMap((closure) => closureSpans(zone, closure)))
}

/** When this person or thing is away. */
export const awaySpans = (zone: string, resource: Pick<ResourceDefinition, 'time_off'>): readonly Span[] =>
  convertedOnce(zone, resource, () =>
    (resource.time_off ?? []).map((away) => timeOffSpan(zone, away)).filter(([from, to]) => from < to),
  )

/** A day given as the end counts whole. */
const timeOffSpan = (zone: string, { from, to }: TimeOff): Span => [
  from.includes('T') ? firstInstantOf(zone, Date.parse(`${from}Z`)) : startOfDay(zone, from),
  to.includes('T') ? firstInstantOf(zone, Date.parse(`${to}Z`)) : startOfDay(zone, daysLater(to, 1)),
]

/**
 * When a place is open on these days: by the hours of the business and its own, but where something is said of the day, and
 * not while it is closed.
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

/** When a person or thing with these hours is there, away times taken out. */
export const workingSpans = (
  zone: string,
  days: readonly string[],
  resource: Hours & Pick<ResourceDefinition, 'time_off'>,
): Span[] => subtracted(spansOn(zone, days, resource), awaySpans(zone, resource))
