import { daysLater } from '../../infra/time/time-zone.ts'
import type { BusinessDefinition, ResourceDefinition, SpecialHours } from '../../protocol/types.generated.ts'
import { appliesOn } from '../availability/opening-hours-on-day.ts'
import { intersection, type Span } from '../availability/time-spans.ts'
import { openSpans, workingSpans } from '../availability/working-hours-and-closures.ts'
import { type Warning, warning } from './warning-codes.ts'

interface OpenDays {
  days: readonly string[]
  open: readonly { place: string | undefined; spans: Span[] }[]
}

/**
 * The server stops its search for warnings after this many checks of special days (days with special hours). A large
 * business can have hundreds of people with many special days each.
 */
const MAX_CHECKS = 5_000

/**
 * Warns about special hours (hours for certain dates) without effect. For example, a location opens on a holiday while
 * no staff work, or staff work while the location is closed.
 */
export function* uselessSpecialDays(definition: BusinessDefinition): Iterable<Warning> {
  const { special_hours = [], resources = [], locations = [], business } = definition
  const zone = business.timezone
  const places = locations.length > 0 ? locations.map(({ id }) => id) : [undefined]
  const people = resources.filter(({ type }) => type === 'staff')
  let checks = 0
  const openOn = (days: readonly string[], at: readonly (string | undefined)[]): OpenDays => ({
    days,
    open: at.map((place) => ({ place, spans: openSpans(zone, days, definition, place) })),
  })
  const works = (one: ResourceDefinition, { days, open }: OpenDays) => {
    if (++checks > MAX_CHECKS) return true
    const working = workingSpans(zone, days, one)
    const openAtPlaces = open.filter(({ place }) => one.locations?.includes(place ?? '') ?? true)
    return openAtPlaces.some(({ spans }) => intersection(spans, working).length > 0)
  }
  for (const [index, opening] of special_hours.entries()) {
    if (checks > MAX_CHECKS) return
    const open = openOn(daysOf(opening), opening.locations ?? places)
    if (people.length > 0 && !people.some((one) => works(one, open)))
      yield warning(
        `special_hours.${index}`,
        `opens when no staff work: the people who work on ${opening.from} need special_hours, too`,
        'nobody_works',
        { from: opening.from },
      )
  }
  for (const [nth, one] of resources.entries())
    for (const [index, special] of (one.special_hours ?? []).entries()) {
      if (checks > MAX_CHECKS) return
      if (!works({ ...one, special_hours: [special] }, openOn(daysOf(special), places)))
        yield warning(
          `resources.${nth}.special_hours.${index}`,
          'has no effect: the place is closed or the resource is away then',
          'no_effect',
        )
    }
}

const MOST_DAYS = 7
const MOST_IN_ALL = 100

/** Lists the first days of one period of special hours, at most seven days. */
const daysOf = (special: SpecialHours): string[] =>
  Array.from({ length: 14 * MOST_DAYS }, (_, nth) => daysLater(special.from, nth))
    .filter((day) => appliesOn(special, day))
    .slice(0, MOST_DAYS)

/** Lists the days on which special hours replace the weekly hours, at most a hundred days. */
export function specialDays({ special_hours = [], resources = [] }: BusinessDefinition): string[] {
  const all = [special_hours, ...resources.map((one) => one.special_hours ?? [])].flat()
  return [...new Set(all.slice(0, MOST_IN_ALL).flatMap(daysOf))].slice(0, MOST_IN_ALL)
}
