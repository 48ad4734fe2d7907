import { LRUCache } from 'lru-cache'
import type { BusinessDefinition, ResourceDefinition } from '../protocol/types.generated.ts'
import { DAY, HOUR } from '../time/units.ts'
import { longestOf } from './durations.ts'
import type { Plan } from './plan.ts'
import { covers, merged, overlapsAny, type Span, subtracted } from './spans.ts'
import { awaySpans, daysWithin, openSpans, spansOn } from './working-hours.ts'

/** The working time of a place and of whoever works there, day by day. */
export interface WorkingTime {
  open: Span[]
  day(resource: ResourceDefinition): Span[]
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
  const time: Span = [range[0], range[1] + longestOf(plan)]
  const place = { business, zone, byTheDay, location }
  if (!isOfADay(time)) return reckoned(place, time)
  const ofBusiness = kept.get(business) ?? new LRUCache<string, WorkingTime>({ max: MOST_KEPT })
  kept.set(business, ofBusiness)
  const name = JSON.stringify([zone, byTheDay, location, ...time])
  const known = ofBusiness.get(name) ?? reckoned(place, time)
  ofBusiness.set(name, known)
  return known
}

function reckoned({ business, zone, byTheDay, location }: Place, time: Span): WorkingTime {
  const days = daysWithin(zone, time)
  const open = openSpans(zone, days, business, location)
  // A hundred may have the same week, and other days off each.
  const weeks = new Map<string, Span[]>()
  const weekOf = (resource: ResourceDefinition) => {
    const key = weekKey(resource)
    const spans = weeks.get(key) ?? spansOn(zone, days, resource)
    weeks.set(key, spans)
    return spans
  }
  // Whoever has the same hours is there at the same time.
  const known = new Map<string, { day: Span[]; whole: Span[] }>()
  const of = (resource: ResourceDefinition) => {
    const key = hoursKey(resource)
    const before = known.get(key)
    if (before) return before
    const day = subtracted(weekOf(resource), awaySpans(zone, resource))
    const both = { day, whole: merged(day) }
    known.set(key, both)
    return both
  }
  const wholeOpen = merged(open)
  const lasts = byTheDay ? coversEnds : covers
  return {
    open,
    day: (resource) => of(resource).day,
    key: hoursKey,
    isOpen: (start, end) => lasts(wholeOpen, start, end),
    isThere: (resource, start, end) =>
      lasts(of(resource).whole, start, end) && !(byTheDay && overlapsAny(awaySpans(zone, resource), start, end)),
  }
}

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
