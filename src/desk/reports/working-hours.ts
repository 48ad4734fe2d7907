import { intersection, merged, type Span, subtracted } from '../../availability/spans.ts'
import { closedSpans, daysWithin, openSpans, workingSpans } from '../../availability/working-hours.ts'
import { hoursKey } from '../../availability/working-time.ts'
import { letOthers } from '../../basics/long-work.ts'
import type { BusinessDefinition, ResourceDefinition } from '../../protocol/types.generated.ts'
import { HOUR, MINUTE } from '../../time/units.ts'
import { offsetAt } from '../../time/zone.ts'

/** When each works, by the definition in force: where a place of theirs is open and they are there. */
export function workingTimes(definition: BusinessDefinition, range: Span) {
  const days = daysWithin(definition.business.timezone, range)
  // Whoever has the same hours at the same places works at the same times.
  const known = new Map<string, Span[]>()
  return async (resource: ResourceDefinition): Promise<Span[]> => {
    const key = JSON.stringify([hoursKey(resource), resource.locations])
    const spans: Span[] = known.get(key) ?? []
    if (known.has(key)) return spans
    for (const day of days) {
      spans.push(...workingOn(definition, day, resource))
      await letOthers()
    }
    known.set(key, spans)
    return spans
  }
}

function workingOn(definition: BusinessDefinition, day: string, resource: ResourceDefinition): Span[] {
  const { business, hours, locations = [] } = definition
  const zone = business.timezone
  const places = locations.filter(({ id }) => resource.locations?.includes(id) ?? true)
  const open = (places.length > 0 ? places : [undefined]).flatMap((place) =>
    subtracted(
      intersection(openSpans(zone, [day], hours), openSpans(zone, [day], place?.hours)),
      closedSpans(zone, definition, place?.id),
    ),
  )
  const whole = merged(open.toSorted(([one], [other]) => one - other))
  return intersection(whole, merged(workingSpans(zone, [day], resource)))
}

/** How many minutes of these times lie in each hour of the day. */
export function minutesByHour(zone: string, spans: readonly Span[]): number[] {
  const minutes = new Array<number>(24).fill(0)
  for (const [from, to] of spans)
    for (let at = from; at < to; ) {
      const local = at + offsetAt(zone, at)
      const next = Math.min(to, at + HOUR - (local % HOUR))
      const hour = Math.floor(local / HOUR) % 24
      minutes[hour] = (minutes[hour] ?? 0) + (next - at) / MINUTE
      at = next
    }
  return minutes
}
