import type { ResourceDefinition } from '../protocol/types.generated.ts'
import { closedAt, closedSpan, daysWithin, openOn, presentOn } from './hours.ts'
import type { Plan } from './plan.ts'
import { common, joined, type Span, without } from './spans.ts'

/** The working time of a place and of whoever works there, day by day and joined where one day runs into the next. */
export interface Calendar {
  open: Span[]
  wholeOpen: Span[]
  day(resource: ResourceDefinition): Span[]
  whole(resource: ResourceDefinition): Span[]
  key(resource: ResourceDefinition): string
}

export function calendarAt({ business, zone, durations }: Plan, range: Span, location: string | undefined): Calendar {
  const days = daysWithin(zone, [range[0], range[1] + (durations.at(-1) ?? 0)])
  const place = business.locations?.find(({ id }) => id === location)
  const open = without(
    common(openOn(zone, days, business.hours), openOn(zone, days, place?.hours)),
    closedAt(business, location).map((closure) => closedSpan(zone, closure)),
  )
  const known = new Map<string, { day: Span[]; whole: Span[] }>()
  const of = (resource: ResourceDefinition) => {
    const day = known.get(resource.id)
    if (day) return day
    const made = presentOn(zone, days, resource)
    const both = { day: made, whole: joined(made) }
    known.set(resource.id, both)
    return both
  }
  return {
    open,
    wholeOpen: joined(open),
    day: (resource) => of(resource).day,
    whole: (resource) => of(resource).whole,
    key: ({ hours, time_off }) => (hours || time_off ? JSON.stringify([hours, time_off]) : ''),
  }
}
