import type { ResourceDefinition } from '../protocol/types.generated.ts'
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

export function workingTimeAt(
  plan: Pick<Plan, 'business' | 'zone' | 'durations' | 'byTheDay'>,
  range: Span,
  location: string | undefined,
): WorkingTime {
  const { business, zone } = plan
  const days = daysWithin(zone, [range[0], range[1] + longestOf(plan)])
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
  const lasts = plan.byTheDay ? coversEnds : covers
  return {
    open,
    day: (resource) => of(resource).day,
    key: hoursKey,
    isOpen: (start, end) => lasts(wholeOpen, start, end),
    isThere: (resource, start, end) =>
      lasts(of(resource).whole, start, end) && !(plan.byTheDay && overlapsAny(awaySpans(zone, resource), start, end)),
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
