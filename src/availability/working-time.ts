import type { ResourceDefinition } from '../protocol/types.generated.ts'
import { longestOf } from './durations.ts'
import type { Plan } from './plan.ts'
import { covers, intersection, merged, type Span, subtracted } from './spans.ts'
import { closureSpan, closuresAt, daysWithin, openSpans, timeOffSpan, workingSpans } from './working-hours.ts'

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

export function workingTimeAt(plan: Plan, range: Span, location: string | undefined): WorkingTime {
  const { business, zone } = plan
  const days = daysWithin(zone, [range[0], range[1] + longestOf(plan)])
  const place = business.locations?.find(({ id }) => id === location)
  const open = subtracted(
    intersection(openSpans(zone, days, business.hours), openSpans(zone, days, place?.hours)),
    closuresAt(business, location).map((closure) => closureSpan(zone, closure)),
  )
  const known = new Map<string, { day: Span[]; whole: Span[] }>()
  const of = (resource: ResourceDefinition) => {
    const day = known.get(resource.id)
    if (day) return day
    const made = workingSpans(zone, days, resource)
    const both = { day: made, whole: merged(made) }
    known.set(resource.id, both)
    return both
  }
  const wholeOpen = merged(open)
  const lasts = plan.byTheDay ? coversEnds : covers
  const isAway = ({ time_off = [] }: ResourceDefinition, start: number, end: number) =>
    time_off.map((away) => timeOffSpan(zone, away)).some(([from, to]) => from < end && start < to)
  return {
    open,
    day: (resource) => of(resource).day,
    key: ({ hours, time_off }) => (hours || time_off ? JSON.stringify([hours, time_off]) : ''),
    isOpen: (start, end) => lasts(wholeOpen, start, end),
    isThere: (resource, start, end) =>
      lasts(of(resource).whole, start, end) && !(plan.byTheDay && isAway(resource, start, end)),
  }
}

/** Whether it can be fetched and brought back, at the very moment of opening or closing too. */
const coversEnds = (spans: readonly Span[], start: number, end: number): boolean =>
  covers(spans, start, start + 1) && covers(spans, end, end)
