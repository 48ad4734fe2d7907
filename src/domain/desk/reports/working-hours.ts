import { HOUR, MINUTE } from '../../../infra/time/units.ts'
import { offsetAt, wholeDays } from '../../../infra/time/zone.ts'
import { isShareUsed, letOthers } from '../../../infra/util/long-work.ts'
import type { BusinessDefinition, ResourceDefinition } from '../../../protocol/types.generated.ts'
import type { Span } from '../../availability/spans.ts'
import { daysWithin } from '../../availability/working-hours.ts'
import { hoursKey } from '../../availability/working-time.ts'
import { timesThere } from '../hours/times-there.ts'

/** When each works, by the definition in force, day by day so that others have their turn. */
export function workingTimes(definition: BusinessDefinition, range: Span) {
  const zone = definition.business.timezone
  const days = daysWithin(zone, range).map((day) => timesThere(definition, zone, wholeDays(zone, day)))
  // Whoever has the same hours at the same places works at the same times.
  const known = new Map<string, Span[]>()
  return async (resource: ResourceDefinition): Promise<Span[]> => {
    const key = JSON.stringify([hoursKey(resource), resource.locations])
    const spans: Span[] = known.get(key) ?? []
    if (known.has(key)) return spans
    for (const thereOn of days) {
      spans.push(...thereOn(resource))
      if (isShareUsed()) await letOthers()
    }
    known.set(key, spans)
    return spans
  }
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
