import { LRUCache } from 'lru-cache'
import type { BusinessDefinition, ResourceDefinition } from '../protocol/types.generated.ts'
import { DAY, HOUR } from '../time/units.ts'
import { longestOf } from './durations.ts'
import type { Plan } from './plan.ts'
import { covers, merged, overlapsAny, type Span, subtracted } from './spans.ts'
import { awaySpans, daysWithin, openSpans, spansOn, workingSpans } from './working-hours.ts'

/** The working time of a place and of whoever works there, day by day. */
export interface WorkingTime {
  open: Span[]
  day(resource: ResourceDefinition): Span[]
  /** What of it begins within the range: what begins later has no start there. */
  begun(resource: ResourceDefinition): Span[]
  key(resource: ResourceDefinition): string
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
  const starting = daysWithin(zone, range)
  const days = daysWithin(zone, [range[0], range[1] + longest])
  const open = openSpans(zone, days, business, location)
  // A hundred may have the same week, and other days off each.
  const weeks = new Map<string, Week>()
  const weekOf = (resource: ResourceDefinition): Week => {
    const key = weekKey(resource)
    const known = weeks.get(key)
    if (known) return known
    const spans = spansOn(zone, days, resource)
    const week = { spans, whole: merged(spans) }
    weeks.set(key, week)
    return week
  }
  // Whoever has the same hours is there at the same time.
  const begun = new Map<string, Span[]>()
  const wholeOpen = merged(open)
  const [lasts, isPresent] = byTheDay ? [coversEnds, isPresentAtEnds] : [covers, isPresentThroughout]
  return {
    open,
    day: (resource) => subtracted(weekOf(resource).spans, awaySpans(zone, resource)),
    begun(resource) {
      const key = hoursKey(resource)
      const spans = begun.get(key) ?? workingSpans(zone, starting, resource)
      begun.set(key, spans)
      return spans
    },
    key: hoursKey,
    isOpen: (start, end) => lasts(wholeOpen, start, end),
    // Of each who has days off the year ahead need not be gone through: a rental may be as long.
    isThere: (resource, start, end) => isPresent(weekOf(resource).whole, awaySpans(zone, resource), start, end),
  }
}

/** The hours of the days looked at: day by day, and in as few spans as possible. */
interface Week {
  spans: Span[]
  whole: Span[]
}

const isPresentThroughout = (week: readonly Span[], away: readonly Span[], start: number, end: number): boolean =>
  covers(week, start, end) && !overlapsAny(away, start, end)

/** The end is the moment after what is there before, or before what is there after. */
const isPresentAtEnds = (week: readonly Span[], away: readonly Span[], start: number, end: number): boolean =>
  covers(week, start, start + 1) &&
  !overlapsAny(away, start, end) &&
  (covers(week, end - 1, end) || isPresentThroughout(week, away, end, end + 1))

/** The same for all who have the same hours, days off aside. */
const weekKey = keptOf(({ hours, rota, special_hours }) =>
  hours || rota || special_hours ? JSON.stringify([hours, rota, special_hours]) : '',
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
