import { LRUCache } from 'lru-cache'
import { DAY, HOUR } from '../../infra/time/units.ts'
import { dateIn } from '../../infra/time/zone.ts'
import type { BusinessDefinition, ResourceDefinition } from '../../protocol/types.generated.ts'
import { longestOf } from './durations.ts'
import type { Plan } from './plan.ts'
import { covers, merged, overlapsAny, type Span, subtracted } from './spans.ts'
import { awaySpans, daysWithin, openSpans, spansOn } from './working-hours.ts'

/** The working time of a place and of whoever works there, day by day. */
export interface WorkingTime {
  open: Span[]
  day(resource: ResourceDefinition): Span[]
  /** What of it begins on the days of this time. */
  begun(resource: ResourceDefinition, within: Span): Span[]
  /** Whether the place is open for it. */
  isOpen(start: number, end: number): boolean
  /** Whether this one is there for it. */
  isThere(resource: ResourceDefinition, start: number, end: number): boolean
}

type Place = Pick<Plan, 'business' | 'zone' | 'byTheDay'> & { location: string | undefined }

/** Most services take as long as others do, and are asked for on the same days: what is reckoned for one is kept for all. */
const kept = new WeakMap<BusinessDefinition, LRUCache<string, WorkingTime>>()
const MOST_KEPT = 100
/** What is asked of one moment, or of weeks, is seldom asked again. */
const isOfADay = ([from, to]: Span) => to - from > HOUR && to - from < 3 * DAY

export function workingTimeAt(
  plan: Pick<Plan, 'business' | 'zone' | 'durations' | 'byTheDay'>,
  range: Span,
  location: string | undefined,
): WorkingTime {
  const { business, zone, byTheDay } = plan
  const longest = longestOf(plan)
  const place = { business, zone, byTheDay, location }
  if (!isOfADay([range[0], range[1] + longest])) return reckoned(place, range, longest)
  const ofBusiness = kept.get(business) ?? new LRUCache<string, WorkingTime>({ max: MOST_KEPT })
  kept.set(business, ofBusiness)
  const name = JSON.stringify([zone, byTheDay, location, range, longest])
  const known = ofBusiness.get(name) ?? reckoned(place, range, longest)
  ofBusiness.set(name, known)
  return known
}

function reckoned({ business, zone, byTheDay, location }: Place, range: Span, longest: number): WorkingTime {
  const days = daysWithin(zone, [range[0], range[1] + longest])
  const open = openSpans(zone, days, business, location)
  // A hundred may have the same week, and other days off each.
  const weeks = new Map<string, Week>()
  const weekOf = (resource: ResourceDefinition): Week => {
    const key = weekKey(resource)
    const known = weeks.get(key)
    if (known) return known
    const onDays = new Map<string, Span[]>()
    const on = (day: string) => {
      const spans = onDays.get(day) ?? spansOn(zone, [day], resource)
      onDays.set(day, spans)
      return spans
    }
    let whole: Span[] | undefined
    const week = {
      on,
      at: (instant: number) => on(dateIn(zone, instant)),
      whole() {
        whole ??= merged(days.flatMap(on))
        return whole
      },
    }
    weeks.set(key, week)
    return week
  }
  const without = (spans: readonly Span[], resource: ResourceDefinition) => subtracted(spans, awaySpans(zone, resource))
  const isThereThroughout = (resource: ResourceDefinition, start: number, end: number) =>
    covers(weekOf(resource).whole(), start, end) && !overlapsAny(awaySpans(zone, resource), start, end)
  // Of each bike of hundreds only the days are looked at on which it is fetched and brought back: it may be out for a year.
  const isThereAtEnds = (resource: ResourceDefinition, start: number, end: number) => {
    const away = awaySpans(zone, resource)
    if (overlapsAny(away, start, end)) return false
    if (weekKey(resource) === ALL_DAY) return true
    const { at } = weekOf(resource)
    if (!covers(at(start), start, start + 1)) return false
    return covers(at(end - 1), end - 1, end) || (covers(at(end), end, end + 1) && !overlapsAny(away, end, end + 1))
  }
  const wholeOpen = merged(open)
  return {
    open,
    day: (resource) => without(days.flatMap(weekOf(resource).on), resource),
    begun: (resource, within) => without(daysWithin(zone, within).flatMap(weekOf(resource).on), resource),
    isOpen: (start, end) => (byTheDay ? coversEnds : covers)(wholeOpen, start, end),
    isThere: byTheDay ? isThereAtEnds : isThereThroughout,
  }
}

/** Hours of somebody or something, days off aside. */
interface Week {
  on(day: string): Span[]
  /** Of the day that this instant is on. */
  at(instant: number): Span[]
  /** Of all days looked at, in as few spans as possible. */
  whole(): Span[]
}

/** Of whoever is there whenever the place is open. */
const ALL_DAY = ''

/** The same for all who have the same hours, days off aside. */
const weekKey = keptOf(({ hours, rota, special_hours }) =>
  hours || rota || special_hours ? JSON.stringify([hours, rota, special_hours]) : ALL_DAY,
)

/** The same for all who have the same hours and days off. */
export const hoursKey = keptOf((resource) => {
  const { time_off } = resource
  return time_off ? `${weekKey(resource)} ${JSON.stringify(time_off)}` : weekKey(resource)
})

function keptOf(keyOf: (resource: ResourceDefinition) => string) {
  const keys = new WeakMap<ResourceDefinition, string>()
  return (resource: ResourceDefinition): string => {
    const key = keys.get(resource) ?? keyOf(resource)
    keys.set(resource, key)
    return key
  }
}

/** Whether it can be fetched and brought back, at the very moment of opening or closing too. */
const coversEnds = (spans: readonly Span[], start: number, end: number): boolean =>
  covers(spans, start, start + 1) && covers(spans, end, end)
