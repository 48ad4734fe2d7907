import { LRUCache } from 'lru-cache'
import { DAY, HOUR } from '../../infra/time/time-units.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import type { BusinessDefinition, ResourceDefinition } from '../../protocol/types.generated.ts'
import { maxDuration } from './service-durations.ts'
import type { Plan } from './service-scheduling-plan.ts'
import { covers, merged, overlapsAny, type Span, subtracted } from './time-spans.ts'
import { absenceSpans, daysWithin, openSpans, spansOn } from './working-hours-and-closures.ts'

export interface WorkingTime {
  open: Span[]
  day(resource: ResourceDefinition): Span[]
  /** The times when the person, room or item is at work, for each local day of the range `within`. */
  begun(resource: ResourceDefinition, within: Span): Span[]
  isOpen(start: number, end: number): boolean
  isThere(resource: ResourceDefinition, start: number, end: number): boolean
}

type Place = Pick<Plan, 'business' | 'zone' | 'byTheDay'> & { location: string | undefined }

/**
 * Caches working times for each business definition. The server often needs the same working times again. Most services
 * have the same durations, and callers query the same days.
 */
const workingTimes = new WeakMap<BusinessDefinition, LRUCache<string, WorkingTime>>()
const MAX_CACHED = 100
/**
 * The server caches working times only for ranges between one hour and three days. It does not cache single instants
 * and whole weeks, because the same instant or week is rarely needed again.
 */
const isCacheable = ([from, to]: Span) => to - from > HOUR && to - from < 3 * DAY

export function workingTimeAt(
  plan: Pick<Plan, 'business' | 'zone' | 'durations' | 'byTheDay'>,
  range: Span,
  location: string | undefined,
): WorkingTime {
  const { business, zone, byTheDay } = plan
  const longest = maxDuration(plan)
  const place = { business, zone, byTheDay, location }
  if (!isCacheable([range[0], range[1] + longest])) return computeWorkingTime(place, range, longest)
  const ofBusiness = workingTimes.get(business) ?? new LRUCache<string, WorkingTime>({ max: MAX_CACHED })
  workingTimes.set(business, ofBusiness)
  const name = JSON.stringify([zone, byTheDay, location, range, longest])
  const known = ofBusiness.get(name) ?? computeWorkingTime(place, range, longest)
  ofBusiness.set(name, known)
  return known
}

function computeWorkingTime({ business, zone, byTheDay, location }: Place, range: Span, longest: number): WorkingTime {
  const days = daysWithin(zone, [range[0], range[1] + longest])
  const open = openSpans(zone, days, business, location)
  // Many resources, such as staff members, have the same weekly hours and differ only in their absences. Therefore the
  // server computes each set of weekly hours once.
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
  const without = (spans: readonly Span[], resource: ResourceDefinition) =>
    subtracted(spans, absenceSpans(zone, resource))
  const isThereThroughout = (resource: ResourceDefinition, start: number, end: number) =>
    covers(weekOf(resource).whole(), start, end) && !overlapsAny(absenceSpans(zone, resource), start, end)
  // In a rental by the day, the resource must be at work only at pick-up and at return. In between, the server checks
  // only absences. A rental may last a year, and checking the working hours of each day would take long.
  const isThereAtEnds = (resource: ResourceDefinition, start: number, end: number) => {
    const away = absenceSpans(zone, resource)
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

/** The working hours of a resource, as if it had no absences. */
interface Week {
  on(day: string): Span[]
  at(instant: number): Span[]
  whole(): Span[]
}

/**
 * The key for resources without own working hours, such as rooms. Such a resource is available whenever the location is
 * open.
 */
const ALL_DAY = ''

/** Returns the same key for resources with the same working hours, even if their absences differ. */
const weekKey = memoizedKey(({ hours, rota, special_hours }) =>
  hours || rota || special_hours ? JSON.stringify([hours, rota, special_hours]) : ALL_DAY,
)

/** Returns the same key for resources with the same working hours and the same absences. */
export const hoursKey = memoizedKey((resource) => {
  const { time_off } = resource
  return time_off ? `${weekKey(resource)} ${JSON.stringify(time_off)}` : weekKey(resource)
})

function memoizedKey(keyOf: (resource: ResourceDefinition) => string) {
  const keys = new WeakMap<ResourceDefinition, string>()
  return (resource: ResourceDefinition): string => {
    const key = keys.get(resource) ?? keyOf(resource)
    keys.set(resource, key)
    return key
  }
}

/**
 * Whether the location is open at pick-up and at return of a rental by the day. A return at the moment of closing is
 * allowed.
 */
const coversEnds = (spans: readonly Span[], start: number, end: number): boolean =>
  covers(spans, start, start + 1) && covers(spans, end, end)
