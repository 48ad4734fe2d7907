import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { HOUR, MINUTE } from '../../../infra/time/time-units.ts'
import { offsetAt, wholeDays } from '../../../infra/time/time-zone.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../../infra/util/yield-to-event-loop.ts'
import type { BusinessDefinition, GetBusinessReports, ResourceDefinition } from '../../../protocol/types.generated.ts'
import { hoursKey } from '../../availability/resource-working-times.ts'
import { merged, type Span, subtracted } from '../../availability/time-spans.ts'
import { daysWithin } from '../../availability/working-hours-and-closures.ts'
import { blocksOfDay } from '../hours/day-schedule-queries.ts'
import { workingSpans } from '../hours/working-times-across-locations.ts'
import { takesPlace } from './report-queries.ts'

type Utilization = GetBusinessReports['output']['period']['utilization']

export async function utilizationOf(
  db: Database,
  definition: BusinessDefinition,
  range: Span,
  now: Date,
): Promise<Utilization> {
  const zone = definition.business.timezone
  const [booked, blocks] = await Promise.all([bookedByHour(db, range, zone, now), blocksOfDay(db, { range })])
  const bookedOf = Map.groupBy(booked, ({ resource_id }) => resource_id)
  const blocksOf = Map.groupBy(blocks, ({ resource_id }) => resource_id)
  const workingOf = workingTimes(definition, range)
  const all: Utilization = []
  for (const resource of definition.resources ?? []) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    const { id, name } = resource
    const blocked = (blocksOf.get(id) ?? []).map(({ starts_at, ends_at }): Span => [+starts_at, +ends_at])
    const working = minutesByHour(zone, subtracted(await workingOf(resource), merged(blocked)))
    const taken = new Map(bookedOf.get(id)?.map(({ hour, minutes }) => [hour, minutes]))
    const hours = working.map((minutes, hour) => ({
      hour,
      booked_minutes: Math.round(taken.get(hour) ?? 0),
      working_minutes: Math.round(minutes),
    }))
    const used = hours.filter((one) => one.booked_minutes + one.working_minutes > 0)
    if (used.length > 0) all.push({ resource_id: id, name, hours: used })
  }
  return all
}

/**
 * Computes the booked minutes of each resource, such as a person or room, by hour of the day. A class counts once, even
 * if it has many bookings.
 */
async function bookedByHour(db: Database, [from, to]: Span, zone: string, now: Date) {
  const [first, last] = [new Date(from), new Date(to)]
  const { rows } = await sql<{ resource_id: string; hour: number; minutes: number }>`
    with taken as (
      select distinct unnest(case when session_id is null then resource_ids else (
          select s.resource_ids from sessions s where s.id = session_id
        ) end) as resource_id, greatest(starts_at, ${first}) as since, least(ends_at, ${last}) as until
      from bookings where tstzrange(starts_at, ends_at) && tstzrange(${first}, ${last}) and ${takesPlace(now)}
    )
    select resource_id, extract(hour from hour at time zone ${zone})::integer as hour,
      (sum(extract(epoch from least(until, hour + interval '1 hour') - greatest(since, hour))) / 60)::float8 as minutes
    from taken, generate_series(date_trunc('hour', since, ${zone}), until, interval '1 hour') as hour
    where hour < until group by 1, 2`.execute(db)
  return rows
}

/**
 * Returns a function that computes the working time of a resource under the current business definition. The function
 * pauses between days and so does not block the event loop.
 */
function workingTimes(definition: BusinessDefinition, range: Span) {
  const zone = definition.business.timezone
  const days = daysWithin(zone, range).map((day) => workingSpans(definition, zone, wholeDays(zone, day)))
  // Resources with the same hours and locations have the same working time. The server computes this time once for all
  // of them.
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

function minutesByHour(zone: string, spans: readonly Span[]): number[] {
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
