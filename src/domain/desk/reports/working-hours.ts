import { HOUR, MINUTE } from '../../../infra/time/units.ts'
import { offsetAt, wholeDays } from '../../../infra/time/zone.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../../infra/util/time-slice.ts'
import type { BusinessDefinition, ResourceDefinition } from '../../../protocol/types.generated.ts'
import type { Span } from '../../availability/spans.ts'
import { daysWithin } from '../../availability/working-hours.ts'
import { hoursKey } from '../../availability/working-time.ts'
import { workingSpans } from '../hours/working-spans.ts'

/**
 * Working time of each resource, by the definition in force. It is computed day by day and yields to the event loop.
 */
export function workingTimes(definition: BusinessDefinition, range: Span) {
  const zone = definition.business.timezone
  const days = daysWithin(zone, range).map((day) => workingSpans(definition, zone, wholeDays(zone, day)))
  // Resources with the same hours and places have the same working time.
  const known = new Map<string, Span[]>()
  return async (resource: ResourceDefinition): Promise<Span[]> => {
    const key = JSON.stringify([hoursKey(resource), resource.locations])
    const spans: Span[] = known.get(key) ?? []
    if (known.has(key)) return spans
    for (const thereOn of days) {
      spans.push(...thereOn(resource))
      if (isTimeSliceUsed()) await yieldToEventLoop()
    }
    known.set(key, spans)
    return spans
  }
}

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
